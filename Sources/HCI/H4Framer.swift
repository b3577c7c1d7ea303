import FixedMemory

/// Splits a controller's byte stream into packets, independently of how the transport cut or merged it.
///
/// A UART without flow control loses bytes, so the framer may lose synchronisation. It then skips one byte at
/// a time until a plausible packet starts; ``skippedByteCount`` counts the skipped bytes. Where packets of
/// other kinds follow a whole packet, they are passed over by their length, because they may contain bytes
/// that look like an event.
public struct H4Framer: ~Copyable {
    /// The longest plausible ACL packet: indicator, header, 1,024 bytes of data and some spare bytes.
    public static let longestPacketByteCount = 1100

    private var buffer: FixedArray<UInt8>
    private var start = 0
    private var end = 0
    /// Whether a packet begins at `start`, as far as is known: no byte before it was skipped.
    private var isInStep = true
    private let keepsBorders: Bool
    public private(set) var skippedByteCount: UInt64 = 0

    /// - Parameters:
    ///   - capacity: in bytes; it must hold at least one longest packet.
    ///   - keepsBorders: Each read returns one packet, so no packet begins in the middle of another one.
    public init(capacity: Int = 16_384, keepsBorders: Bool = false) throws(MemoryError) {
        precondition(capacity >= Self.longestPacketByteCount)
        self.keepsBorders = keepsBorders
        buffer = try FixedArray(count: capacity, repeating: 0)
    }

    /// Lets `read` write bytes into the free part of the buffer; returns how many it wrote. Packets returned
    /// earlier become invalid.
    public mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        moveToFront()
        let count = try buffer.withUnsafeMutableBytes(in: end..<buffer.count, read)
        end += max(0, min(count, buffer.count - end))
        return count
    }

    /// Returns the range of the next complete packet; nil if it needs more bytes.
    public mutating func next() -> Range<Int>? {
        while start < end {
            switch inspect() {
            case .packet(let byteCount):
                defer { start += byteCount }
                isInStep = true
                return start..<start + byteCount
            case .foreign(let byteCount):
                start += byteCount
            case .incomplete:
                return nil
            case .implausible:
                isInStep = false
                let byteCount = keepsBorders ? end - start : 1
                start += byteCount
                skippedByteCount += UInt64(byteCount)
            }
        }
        return nil
    }

    /// Returns the bytes of a range that ``next()`` returned.
    @_lifetime(borrow self)
    public func packet(at range: Range<Int>) -> Span<UInt8> {
        buffer.span.extracting(range)
    }

    /// Discards what is left of a stream that has ended.
    public mutating func removeAll() {
        start = 0
        end = 0
        isInStep = true
    }

    private enum Finding {
        case packet(byteCount: Int)
        /// A packet of a kind that the agent has no use for.
        case foreign(byteCount: Int)
        case incomplete, implausible
    }

    private func inspect() -> Finding {
        let bytes = buffer.span.extracting(start..<end)
        let dataCount: Int
        let headerEnd: Int
        // The check runs as early as possible, so that a wrong start does not wait for a length that never
        // comes.
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
            if keepsBorders { return .foreign(byteCount: bytes.count) }
            return isInStep ? Self.inspectForeign(bytes) : .implausible
        }
        guard headerEnd + dataCount <= Self.longestPacketByteCount else { return .implausible }
        return bytes.count >= headerEnd + dataCount
            ? .packet(byteCount: headerEnd + dataCount) : .incomplete
    }

    /// Recognises a packet of a kind that the agent does not use: synchronous or isochronous data, and the
    /// kinds that Broadcom's controllers have beside those of the specification (Linux, hci_bcm: diagnostics
    /// of 63 bytes, and three kinds without content).
    @inline(never)
    private static func inspectForeign(_ bytes: Span<UInt8>) -> Finding {
        let byteCount: Int
        switch bytes[0] {
        case PacketIndicator.synchronousData.rawValue:
            guard bytes.count > 3 else { return .incomplete }
            byteCount = 4 + Int(bytes[3])
        case PacketIndicator.isochronousData.rawValue:
            guard bytes.count > 4 else { return .incomplete }
            byteCount = 5 + Int(bytes.loadUInt16(at: 3) & 0x3fff)
        case 0x07: byteCount = 64
        case 0x00, 0x31, 0x34: byteCount = 1
        default: return .implausible
        }
        guard byteCount <= longestPacketByteCount else { return .implausible }
        // The byte after it shows whether it was a packet, so nothing is lost if it was a damaged one.
        guard bytes.count > byteCount else { return .incomplete }
        return bytes[byteCount] <= 0x07 ? .foreign(byteCount: byteCount) : .implausible
    }

    /// Codes up to 0x59 are assigned; 0xFF is for vendor-specific events.
    private static func isPlausible(eventCode: UInt8) -> Bool {
        // Nearly all events are LE Meta events, so their code is compared first.
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
