import FixedMemory

/// An SMP packet under construction: header and CBOR body, at most 2048 bytes. The length in the header is
/// updated as the body grows.
public struct SMPPacket: ByteSink, Sendable {
    public static let capacity = 2048

    public private(set) var buffer = FixedBuffer<2048>()
    private let limit: Int
    /// The header as given, except that its length is 0.
    public let header: SMPHeader

    /// Starts a packet without a body. `limit` is its maximum size in bytes, header included.
    public init(_ header: SMPHeader, limit: Int = SMPPacket.capacity) {
        self.limit = min(max(limit, SMPHeader.byteCount), SMPPacket.capacity)
        var empty = header
        empty.bodyByteCount = 0
        self.header = empty
        do { try empty.write(into: &buffer) } catch { preconditionFailure("a header fits") }
    }

    public var freeCount: Int { limit - buffer.count }
    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { buffer.span }
    }

    @inline(never)
    public mutating func append(_ byte: UInt8) throws(CapacityError) {
        guard freeCount > 0 else { throw CapacityError() }
        try buffer.append(byte)
        writeLength()
    }

    public mutating func append(_ bytes: Span<UInt8>) throws(CapacityError) {
        guard bytes.count <= freeCount else { throw CapacityError() }
        try buffer.append(bytes)
        writeLength()
    }

    /// Removes the body, so that another one can be written.
    public mutating func removeBody() {
        buffer.truncate(to: SMPHeader.byteCount)
        writeLength()
    }

    private mutating func writeLength() {
        let count = buffer.count - SMPHeader.byteCount
        buffer[2] = UInt8(truncatingIfNeeded: count >> 8)
        buffer[3] = UInt8(truncatingIfNeeded: count)
    }
}
