import HCI

/// Writes a btsnoop file that `tabard replay` reads.
struct BtsnoopWriter {
    enum Datalink: UInt32 {
        case unencapsulated = 1001
        case h4 = 1002
        case monitor = 2001
    }

    /// The microseconds from the year 0, with which btsnoop begins, to 1970.
    static let epochMicroseconds: Int64 = 0x00dc_ddb3_0f2f_8000
    static let magic = Array("btsnoop\0".utf8)

    private let datalink: Datalink
    private var bytes: [UInt8]
    private var lastMicroseconds: Int64 = 0

    init(_ datalink: Datalink) {
        self.datalink = datalink
        bytes = Self.magic
        append(1 as UInt32)
        append(datalink.rawValue)
    }

    /// The number of bytes that ``takeBytes()`` will return.
    var waitingByteCount: Int { bytes.count }

    /// Returns what was written since the last call.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll() }
        return bytes
    }

    /// Appends a record. A packet without a time gets that of the one before.
    ///
    /// - Returns: whether the datalink can express the packet.
    mutating func append(_ packet: CapturedPacket) -> Bool {
        guard let (flags, data) = encoded(packet) else { return false }
        let included = UInt32(clamping: data.count)
        let removed = UInt32(clamping: packet.bytes.count - data.count)
        append(max(included, packet.originalByteCount - min(removed, packet.originalByteCount)))
        append(included)
        append(flags)
        append(packet.droppedPacketCount)
        lastMicroseconds = packet.unixMicroseconds ?? lastMicroseconds
        append(UInt64(bitPattern: Self.epochMicroseconds &+ lastMicroseconds))
        bytes += data
        return true
    }

    private func encoded(_ packet: CapturedPacket) -> (flags: UInt32, data: ArraySlice<UInt8>)? {
        switch (packet.framing, datalink) {
        case (.btsnoop(let flags), _): return (flags, packet.bytes[...])
        case (.monitor(let adapter, let code), _): return (Self.flags(adapter, code), packet.bytes[...])
        case (.h4(let isReceived, let adapter), .monitor):
            guard let first = packet.bytes.first, let kind = PacketIndicator(rawValue: first) else {
                return nil
            }
            let flags = Self.flags(adapter, kind.monitorCode(isReceived: isReceived))
            return (flags, packet.bytes.dropFirst())
        case (.h4(let isReceived, _), _):
            let kind = packet.bytes.first.flatMap { PacketIndicator(rawValue: $0) }
            let isCommandOrEvent = kind == .command || kind == .event
            return ((isReceived ? 1 : 0) | (isCommandOrEvent ? 2 : 0), packet.bytes[...])
        }
    }

    private static func flags(_ adapter: UInt16, _ code: UInt16) -> UInt32 {
        UInt32(adapter) << 16 | UInt32(code)
    }

    private mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
