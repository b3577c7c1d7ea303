import EncounterLog

/// A board's flash device, as the agent sees it: a handle on a ``SimulatedMedium``.
public struct SimulatedFlash: FlashDevice {
    let medium: SimulatedMedium

    public init(_ medium: SimulatedMedium) { self.medium = medium }

    public var geometry: FlashGeometry { medium.geometry }

    public func read(page: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let start = page * geometry.pageByteCount + offset
        for index in destination.indices { destination[index] = medium.bytes[start + index] }
    }

    public func program(page: Int, from bytes: Span<UInt8>) throws(FlashError) {
        medium.programCount += 1
        let start = page * geometry.pageByteCount
        for index in bytes.indices { medium.bytes[start + index] = bytes[index] }
    }

    public func erase(segment: Int) throws(FlashError) {
        medium.eraseCount += 1
        let start = segment * geometry.segmentByteCount
        for index in start..<start + geometry.segmentByteCount { medium.bytes[index] = 0xff }
    }

    public func sync() throws(FlashError) {}
}
