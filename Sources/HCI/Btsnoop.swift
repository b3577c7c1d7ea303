import FixedMemory

/// The btsnoop capture format, version 1, written with datalink 1002 (HCI with H4 indicators). All integers
/// are big-endian. Source: the layout of RFC 1761 with Bluetooth datalinks, as tshark and btmon read it.
public enum Btsnoop {
    /// The file header's size: "btsnoop" and a zero byte, version (4), datalink (4).
    public static let fileHeaderByteCount = 16
    /// The record header's size: original length (4), included length (4), flags (4), drops (4), time in µs
    /// since year 0 (8).
    public static let recordHeaderByteCount = 24

    /// The microseconds from midnight, 1 January of year 0, to 1970.
    private static let epochMicroseconds: UInt64 = 0x00dc_ddb3_0f2f_8000

    /// Converts a record's time to microseconds since 1970; times before 1970 become 0.
    static func unixMicroseconds(stamp: UInt64) -> UInt64 {
        stamp > epochMicroseconds ? stamp - epochMicroseconds : 0
    }

    public enum Direction: UInt32, Sendable {
        case hostToController = 0
        case controllerToHost = 1
    }

    public static func appendFileHeader<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError)
    {
        try sink.append("btsnoop\0")
        try sink.append(bigEndian: 1 as UInt32)
        try sink.append(bigEndian: 1002 as UInt32)
    }

    /// Appends the header of a record; `packet` (with its H4 indicator) must follow.
    public static func appendRecordHeader<Sink: ByteSink & ~Copyable>(
        for packet: Span<UInt8>, direction: Direction, wallClockNanoseconds: UInt64, to sink: inout Sink
    ) throws(CapacityError) {
        let indicator = packet.count > 0 ? packet[0] : 0
        let isCommandOrEvent =
            indicator == PacketIndicator.command.rawValue || indicator == PacketIndicator.event.rawValue
        let length = UInt32(truncatingIfNeeded: packet.count)
        try sink.append(bigEndian: length)
        try sink.append(bigEndian: length)
        try sink.append(bigEndian: direction.rawValue | (isCommandOrEvent ? 2 : 0))
        try sink.append(bigEndian: 0 as UInt32)
        try sink.append(bigEndian: epochMicroseconds &+ wallClockNanoseconds / 1000)
    }
}
