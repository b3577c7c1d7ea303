import EncounterLog

/// A flash device over a ``SimulatedMedium``, which is in memory and can fail. The medium's content outlives
/// every log that mounts it.
public struct SimulatedFlash: FlashDevice {
    public let medium: SimulatedMedium

    public init(_ medium: SimulatedMedium) { self.medium = medium }

    public var geometry: FlashGeometry { medium.geometry }

    public var isOverwritable: Bool { medium.isOverwritable }

    public func read(block: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try medium.read(block: block, offset: offset, into: &destination)
    }

    public func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError) {
        let copy = bytes.withUnsafeBufferPointer { Array($0) }
        try medium.program(block: block, offset: offset, bytes: copy)
    }

    public func erase(segment: Int) throws(FlashError) {
        try medium.erase(segment: segment)
    }

    public func sync() throws(FlashError) {
        try medium.sync()
    }
}
