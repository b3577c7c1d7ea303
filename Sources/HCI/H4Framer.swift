import FixedMemory

/// Cuts a byte stream from a controller into packets, however it was split or merged on the way.
///
/// A UART without flow control loses bytes, so the stream may stop making sense. Then one byte at a time is
/// skipped until something plausible starts; ``skippedByteCount`` tells how often that was needed.
public struct H4Framer: ~Copyable {
    /// The longest ACL packet taken for plausible: indicator, header, 1,024 bytes of data and some room.
    public static let longestPacketByteCount = 1100

    private var buffer: FixedArray<UInt8>
    private var start = 0
    private var end = 0
    public private(set) var skippedByteCount: UInt64 = 0

    /// `capacity`: at least one longest packet.
    public init(capacity: Int = 16_384) throws(MemoryError) {
        precondition(capacity >= Self.longestPacketByteCount)
        buffer = try FixedArray(count: capacity, repeating: 0)
    }

    /// Lets `read` put bytes into the free room and returns how many it put there. Packets handed out before are
    /// no longer valid.
    public mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        moveToFront()
        let count = try buffer.withUnsafeMutableBytes(in: end..<buffer.count, read)
        end += max(0, min(count, buffer.count - end))
        return count
    }

    /// Where the next whole packet lies, or nil until more bytes have come.
    public mutating func next() -> Range<Int>? {
        while start < end {
            switch inspect() {
            case .packet(let byteCount):
                defer { start += byteCount }
                return start..<start + byteCount
            case .incomplete:
                return nil
            case .implausible:
                start += 1
                skippedByteCount += 1
            }
        }
        return nil
    }

    /// The bytes of a range ``next()`` returned.
    @_lifetime(borrow self)
    public func packet(at range: Range<Int>) -> Span<UInt8> {
        buffer.span.extracting(range)
    }

    /// Forgets what is left of a stream that has ended.
    public mutating func removeAll() {
        start = 0
        end = 0
    }

    private enum Finding { case packet(byteCount: Int), incomplete, implausible }

    private func inspect() -> Finding {
        let bytes = buffer.span.extracting(start..<end)
        let dataCount: Int
        let headerEnd: Int
        // Judged as early as possible: a wrong start must not wait for a length that will never come. Synchronous
        // and isochronous data never come, as no such link is ever made.
        switch PacketIndicator(rawValue: bytes[0]) {
        case .event:
            headerEnd = 1 + PacketIndicator.event.headerByteCount
            if bytes.count > 1, !Self.isPlausible(eventCode: bytes[1]) { return .implausible }
            guard bytes.count >= headerEnd else { return .incomplete }
            dataCount = Int(bytes[2])
        case .aclData:
            headerEnd = 1 + PacketIndicator.aclData.headerByteCount
            guard bytes.count >= headerEnd else { return .incomplete }
            dataCount = Int(bytes.loadUInt16(at: 3))
        default:
            return .implausible
        }
        guard headerEnd + dataCount <= Self.longestPacketByteCount else { return .implausible }
        return bytes.count >= headerEnd + dataCount
            ? .packet(byteCount: headerEnd + dataCount) : .incomplete
    }

    /// Codes up to 0x59 are assigned; 0xFF is the makers' own.
    private static func isPlausible(eventCode: UInt8) -> Bool {
        // Nearly all are of this one, LE Meta.
        eventCode == 0x3e || (0x01...0x59).contains(eventCode) || eventCode == 0xff
    }

    private mutating func moveToFront() {
        guard start > 0 else { return }
        if start < end {
            for index in start..<end { buffer[index - start] = buffer[index] }
        }
        end -= start
        start = 0
    }
}
