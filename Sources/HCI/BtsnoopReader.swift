import FixedMemory

/// Reads a btsnoop capture from front to back in fixed memory. It supports the datalinks 1001 (HCI), 1002
/// (H4) and 2001 (the Linux monitor, as `btmon -w` writes). Any input gives records or a typed error.
///
/// Packets of all three are returned in H4 form, with the indicator first.
public struct BtsnoopReader: ~Copyable {
    /// The longest record that is accepted: an ACL packet of full length with some spare bytes. A longer one
    /// means damage.
    public static let longestRecordByteCount = 66_000

    /// A record that is this much longer than its packet is damaged.
    public static let longestExcess = 64
    /// The same for a record without an HCI packet: `btmon` writes notes of at most 1,490 bytes.
    public static let longestNote = 2_048

    private var buffer: FixedArray<UInt8>
    private var start = 0
    private var end = 0
    /// The number of packets that the capturing program has lost, as the last record has it.
    public private(set) var droppedPacketCount: UInt32 = 0
    /// The file offset of the buffer's `start`.
    private var position: UInt64 = 0
    private var datalink: Datalink?

    private enum Datalink: UInt32 {
        case unencapsulated = 1001
        case h4 = 1002
        case monitor = 2001
    }

    public init() throws(MemoryError) { buffer = try FixedArray(zeroed: 2 * Self.longestRecordByteCount) }

    /// Lets `read` write bytes of the file into the free part of the buffer; returns how many it wrote.
    /// Packets returned earlier become invalid.
    public mutating func fill<Failure: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        moveToFront()
        let count = try buffer.withUnsafeMutableBytes(in: end..<buffer.count, read)
        let taken = max(0, min(count, buffer.count - end))
        end += taken
        return taken
    }

    /// Returns the next complete record; nil if it needs more bytes.
    public mutating func next() throws(BtsnoopError) -> BtsnoopRecord? {
        if datalink == nil, end - start >= Btsnoop.fileHeaderByteCount {
            datalink = try Self.datalink(of: bytes(at: 0, count: Btsnoop.fileHeaderByteCount))
            take(Btsnoop.fileHeaderByteCount)
        }
        guard let datalink, end - start >= Btsnoop.recordHeaderByteCount else { return nil }
        let header = RecordHeader(bytes(at: 0, count: Btsnoop.recordHeaderByteCount))
        guard header.included <= UInt32(Self.longestRecordByteCount), header.included <= header.original,
            !isTooLong(header, datalink)
        else { throw .absurdLength(header.included, offset: position) }
        let byteCount = Btsnoop.recordHeaderByteCount + Int(header.included)
        guard end - start >= byteCount else { return nil }
        let record = record(at: start + Btsnoop.recordHeaderByteCount..<start + byteCount, header, datalink)
        droppedPacketCount = max(droppedPacketCount, header.drops)
        take(byteCount)
        return record
    }

    /// Whether the record claims to be much longer than the packet in it, which has a length of its own. The
    /// records after it would be lost in it without a word.
    private func isTooLong(_ header: RecordHeader, _ datalink: Datalink) -> Bool {
        let data = start + Btsnoop.recordHeaderByteCount
        let hasIndicator = datalink == .h4
        let kind: PacketIndicator?
        switch datalink {
        case .h4:
            guard data < end else { return false }
            kind = PacketIndicator(rawValue: buffer[data])
        case .unencapsulated: kind = Self.unencapsulatedKind(flags: header.flags)
        case .monitor: kind = Self.monitorKind(UInt16(truncatingIfNeeded: header.flags))
        }
        guard let kind else { return Int(header.included) > Self.longestNote }
        let packet = data + (hasIndicator ? 1 : 0)
        let headerByteCount = kind.headerByteCount
        guard end >= packet + headerByteCount else { return false }
        let last = packet + headerByteCount - 1
        let isWide = kind == .aclData || kind == .isochronousData
        let length = isWide ? Int(buffer[last]) << 8 | Int(buffer[last - 1]) : Int(buffer[last])
        let byteCount = packet - data + headerByteCount + length
        return Int(header.included) > byteCount + Self.longestExcess
    }

    /// Returns the bytes of a record's packet.
    @_lifetime(borrow self)
    public func packet(of record: BtsnoopRecord) -> Span<UInt8> { buffer.span.extracting(record.range) }

    /// The number of bytes read that do not form a complete record yet. At the end of a file they are a
    /// truncated record.
    public var waitingByteCount: Int { end - start }

    /// Whether the file header has been read.
    public var hasBegun: Bool { datalink != nil }

    private static func datalink(of header: Span<UInt8>) throws(BtsnoopError) -> Datalink {
        guard header.extracting(0..<8).isEqual(to: "btsnoop\0") else { throw .notBtsnoop }
        let version = header.loadUInt32(at: 8).byteSwapped
        guard version == 1 else { throw .unsupportedVersion(version) }
        let number = header.loadUInt32(at: 12).byteSwapped
        guard let datalink = Datalink(rawValue: number) else { throw .unsupportedDatalink(number) }
        return datalink
    }

    private struct RecordHeader {
        let original, included, flags, drops: UInt32
        let stamp: UInt64

        init(_ bytes: Span<UInt8>) {
            original = bytes.loadUInt32(at: 0).byteSwapped
            included = bytes.loadUInt32(at: 4).byteSwapped
            flags = bytes.loadUInt32(at: 8).byteSwapped
            drops = bytes.loadUInt32(at: 12).byteSwapped
            stamp = bytes.loadUInt64(at: 16).byteSwapped
        }
    }

    @_lifetime(borrow self)
    private func bytes(at offset: Int, count: Int) -> Span<UInt8> {
        buffer.span.extracting(start + offset..<start + offset + count)
    }

    private mutating func record(
        at data: Range<Int>, _ header: RecordHeader, _ datalink: Datalink
    ) -> BtsnoopRecord {
        let flags = header.flags
        var record = BtsnoopRecord(
            range: data, unixMicroseconds: Btsnoop.unixMicroseconds(stamp: header.stamp),
            isReceived: flags & 1 == 1, isCut: header.original > header.included)
        switch datalink {
        case .h4:
            record.kind = data.isEmpty ? nil : PacketIndicator(rawValue: buffer[data.lowerBound])
        case .unencapsulated:
            putIndicator(Self.unencapsulatedKind(flags: flags), before: &record)
        case .monitor:
            record.adapter = UInt16(truncatingIfNeeded: flags >> 16)
            readMonitorCode(UInt16(truncatingIfNeeded: flags), of: &record)
        }
        return record
    }

    /// Translates a monitor opcode. Source: BlueZ, src/shared/btsnoop.h.
    private mutating func readMonitorCode(_ code: UInt16, of record: inout BtsnoopRecord) {
        record.isReceived = code & 1 == 1
        if let kind = Self.monitorKind(code) { return putIndicator(kind, before: &record) }
        switch code {
        // The adapter appears (0), disappears (1), is opened (8) or closed (9): all its links have ended.
        case 0, 1, 8, 9: record.endsLinks = true
        default: break
        }
    }

    private static func unencapsulatedKind(flags: UInt32) -> PacketIndicator {
        flags & 2 == 0 ? .aclData : flags & 1 == 1 ? .event : .command
    }

    private static func monitorKind(_ code: UInt16) -> PacketIndicator? {
        switch code {
        case 2: .command
        case 3: .event
        case 4, 5: .aclData
        case 6, 7: .synchronousData
        case 18, 19: .isochronousData
        default: nil
        }
    }

    /// Writes the indicator over the last byte of the record's header, which has already been parsed.
    private mutating func putIndicator(_ kind: PacketIndicator, before record: inout BtsnoopRecord) {
        record.kind = kind
        record.range = record.range.lowerBound - 1..<record.range.upperBound
        buffer[record.range.lowerBound] = kind.rawValue
    }

    private mutating func take(_ byteCount: Int) {
        start += byteCount
        position &+= UInt64(truncatingIfNeeded: byteCount)
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

/// One captured packet; ``BtsnoopReader/packet(of:)`` returns its bytes.
public struct BtsnoopRecord: Sendable {
    var range: Range<Int>
    /// The time as captured, which may step in either direction; 0 for times before 1970.
    public let unixMicroseconds: UInt64
    /// Whether the controller sent the packet to the host.
    public internal(set) var isReceived: Bool
    /// Whether the capture holds only the beginning of the packet.
    public let isCut: Bool
    /// The kind of packet; nil for a monitor record without an HCI packet, and for an empty record.
    public internal(set) var kind: PacketIndicator?
    /// The number of the adapter; 0 if the capture does not distinguish adapters.
    public internal(set) var adapter: UInt16 = 0
    /// Whether the adapter appeared or disappeared, which ends its links.
    public internal(set) var endsLinks = false

    init(range: Range<Int>, unixMicroseconds: UInt64, isReceived: Bool, isCut: Bool) {
        self.range = range
        self.unixMicroseconds = unixMicroseconds
        self.isReceived = isReceived
        self.isCut = isCut
    }
}

public enum BtsnoopError: Error, BitwiseCopyable, Equatable, Sendable {
    case notBtsnoop
    case unsupportedVersion(UInt32)
    case unsupportedDatalink(UInt32)
    /// A record claims to be longer than any packet, or than the one in it; the rest of the file cannot be
    /// parsed.
    case absurdLength(UInt32, offset: UInt64)
}
