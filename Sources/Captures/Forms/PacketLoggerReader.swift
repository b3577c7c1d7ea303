import HCI

/// Reads captures of Apple's PacketLogger. A record has its length without these four bytes (4), seconds
/// since 1970 (4), microseconds (4), a type (1) and data. The files have no header. Older ones are
/// big-endian, newer ones little-endian. Source: the files themselves, and Wireshark, which reads them.
struct PacketLoggerReader: RecordReader {
    let datalink = BtsnoopWriter.Datalink.h4
    private let order: ByteOrder

    private static let headerByteCount = 13
    /// The bytes that a record's length counts before the type.
    private static let timeByteCount = 8
    /// The number of records that must look right in a file of this form.
    private static let checkedRecordCount = 5

    /// - Parameter head: the first bytes of a file.
    /// - Returns: nil if they are not records of this form.
    init?(recognising head: ArraySlice<UInt8>) {
        guard head.count >= Self.headerByteCount else { return nil }
        // Each length is less than 65,536, so two of its four bytes are zero.
        let order: ByteOrder = head.prefix(2).allSatisfy { $0 == 0 } ? .big : .little
        var rest = head
        for _ in 0..<Self.checkedRecordCount {
            guard rest.count >= Self.headerByteCount else { break }
            let length: UInt32 = order.number(rest.prefix(4))
            let microseconds: UInt32 = order.number(rest.dropFirst(8).prefix(4))
            guard (8..<65_536).contains(length), microseconds < 1_000_000,
                length == 8 || Self.isKnown(rest[rest.startIndex + 12])
            else { return nil }
            rest = rest.dropFirst(4 + Int(length))
        }
        self.order = order
    }

    /// Commands, events, data (2, 3, 8, 9), LMP messages (10, 11), then notes and other records without
    /// packets.
    private static func isKnown(_ type: UInt8) -> Bool {
        type <= 3 || (8...11).contains(type) || type >= 0xf0
    }

    mutating func next(_ window: inout ByteWindow) throws(CaptureError) -> RecordOutcome? {
        guard window.count >= 4 else { return nil }
        let length = window.uint32(at: 0, order)
        guard length >= Self.timeByteCount else {
            throw .damaged(.impossibleLength(length), offset: window.fileOffset)
        }
        guard length <= PacketLength.maximum else {
            throw .damaged(.longRecord(length), offset: window.fileOffset)
        }
        let byteCount = 4 + Int(length)
        guard window.count >= min(byteCount, Self.headerByteCount) else { return nil }
        guard byteCount >= Self.headerByteCount, let (kind, isReceived) = Self.packet(ofType: window[12])
        else {
            guard window.count >= byteCount else { return nil }
            window.skip(byteCount)
            return .skipped
        }
        let included = byteCount - Self.headerByteCount
        guard !PacketLength.isExceeded(kind, at: Self.headerByteCount, included: included, window) else {
            throw .damaged(.longRecord(length), offset: window.fileOffset)
        }
        guard window.count >= byteCount else { return nil }
        let packet = CapturedPacket(
            unixMicroseconds: Int64(window.uint32(at: 4, order)) * 1_000_000
                + Int64(window.uint32(at: 8, order)),
            framing: .h4(isReceived: isReceived, adapter: 0),
            bytes: [kind.rawValue] + window.bytes(at: Self.headerByteCount, count: included),
            originalByteCount: UInt32(included + 1))
        window.skip(byteCount)
        return .packet(packet)
    }

    private static func packet(ofType type: UInt8) -> (PacketIndicator, isReceived: Bool)? {
        switch type {
        case 0: (.command, false)
        case 1: (.event, true)
        case 2: (.aclData, false)
        case 3: (.aclData, true)
        case 8: (.synchronousData, false)
        case 9: (.synchronousData, true)
        default: nil
        }
    }
}
