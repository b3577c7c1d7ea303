import EncounterLog
import FixedMemory

/// A flash device in memory.
public struct MemoryFlash: FlashDevice {
    public let geometry: FlashGeometry
    public private(set) var bytes: [UInt8]

    public init(_ geometry: FlashGeometry) {
        self.geometry = geometry
        bytes = Array(repeating: 0xff, count: geometry.byteCount)
    }

    /// Makes a device with these contents; `bytes` must have the length of the geometry.
    public init(_ geometry: FlashGeometry, bytes: [UInt8]) {
        precondition(bytes.count == geometry.byteCount)
        self.geometry = geometry
        self.bytes = bytes
    }

    public mutating func read(block: Int, offset: Int, into destination: inout MutableSpan<UInt8>)
        throws(FlashError)
    {
        let start = block * geometry.blockByteCount + offset
        for index in destination.indices { destination[index] = bytes[start + index] }
    }

    public mutating func program(block: Int, offset: Int, from source: Span<UInt8>) throws(FlashError) {
        let start = block * geometry.blockByteCount + offset
        for index in source.indices { bytes[start + index] = source[index] }
    }

    public mutating func erase(segment: Int) throws(FlashError) {
        let start = segment * geometry.segmentByteCount
        bytes.replaceSubrange(
            start..<start + geometry.segmentByteCount,
            with: repeatElement(0xff, count: geometry.segmentByteCount))
    }

    public mutating func sync() throws(FlashError) {}
}
