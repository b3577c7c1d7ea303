/// Reads a span from front to back and checks every read against the end.
public struct ByteReader: ~Escapable {
    public let bytes: Span<UInt8>
    public private(set) var offset = 0

    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    public var remainingCount: Int { bytes.count - offset }
    public var isAtEnd: Bool { offset == bytes.count }

    public mutating func readUInt8() throws(EndOfBytes) -> UInt8 {
        guard offset < bytes.count else { throw EndOfBytes() }
        defer { offset += 1 }
        return bytes[offset]
    }

    public mutating func readInt8() throws(EndOfBytes) -> Int8 { Int8(bitPattern: try readUInt8()) }

    public mutating func readUInt16() throws(EndOfBytes) -> UInt16 {
        UInt16(truncatingIfNeeded: try readLittleEndian(byteCount: 2))
    }

    public mutating func readUInt32() throws(EndOfBytes) -> UInt32 {
        UInt32(truncatingIfNeeded: try readLittleEndian(byteCount: 4))
    }

    public mutating func readUInt64() throws(EndOfBytes) -> UInt64 { try readLittleEndian(byteCount: 8) }

    public mutating func readUInt16BigEndian() throws(EndOfBytes) -> UInt16 { try readUInt16().byteSwapped }
    public mutating func readUInt32BigEndian() throws(EndOfBytes) -> UInt32 { try readUInt32().byteSwapped }
    public mutating func readUInt64BigEndian() throws(EndOfBytes) -> UInt64 { try readUInt64().byteSwapped }

    /// Returns the next `count` bytes without copying them.
    @_lifetime(copy self)
    public mutating func readBytes(_ count: Int) throws(EndOfBytes) -> Span<UInt8> {
        guard count >= 0, count <= remainingCount else { throw EndOfBytes() }
        let start = offset
        offset += count
        return bytes.extracting(start..<start + count)
    }

    /// Returns all bytes that are left without copying them.
    @_lifetime(copy self)
    public mutating func readRest() -> Span<UInt8> {
        let start = offset
        offset = bytes.count
        return bytes.extracting(droppingFirst: start)
    }

    @inlinable
    public mutating func readBlock<let count: Int>(of type: Bytes<count>.Type = Bytes<count>.self)
        throws(EndOfBytes) -> Bytes<count>
    {
        guard let block = Bytes<count>(try readBytes(count)) else { throw EndOfBytes() }
        return block
    }

    private mutating func readLittleEndian(byteCount: Int) throws(EndOfBytes) -> UInt64 {
        guard byteCount <= remainingCount else { throw EndOfBytes() }
        var value: UInt64 = 0
        for index in 0..<byteCount {
            value |= UInt64(bytes[offset + index]) << UInt64(truncatingIfNeeded: 8 * index)
        }
        offset += byteCount
        return value
    }
}

/// Thrown by a read that would pass the end; nothing is consumed.
public struct EndOfBytes: Error, Equatable {
    public init() {}
}
