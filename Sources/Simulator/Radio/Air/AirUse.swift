/// What a station has sent: bytes as they are on the air, preamble to checksum.
///
/// Source: Bluetooth Core 5.4, Vol 6, Part B, 2.1; at 1 Mbit/s a byte takes 8 µs.
public struct AirUse: Sendable {
    /// Each has been sent on three channels.
    public private(set) var advertCount: UInt64 = 0
    public private(set) var advertByteCount: UInt64 = 0
    /// Requests for a connection, and what went over links.
    public private(set) var linkPacketCount: UInt64 = 0
    public private(set) var linkByteCount: UInt64 = 0

    public init() {}

    public var byteCount: UInt64 { advertByteCount + linkByteCount }
    public var airTime: SimulatedDuration { .microseconds(byteCount * Self.microsecondsPerByte) }

    static let microsecondsPerByte: UInt64 = 8
    /// Preamble, access address, header, checksum.
    static let emptyPacketByteCount: UInt64 = 10
    private static let addressByteCount: UInt64 = 6
    private static let connectionRequestByteCount: UInt64 = emptyPacketByteCount + 34

    static func byteCount(of advertisement: Advertisement) -> UInt64 {
        emptyPacketByteCount + addressByteCount + UInt64(advertisement.data.count)
    }

    mutating func note(_ advertisement: Advertisement) {
        advertCount &+= 1
        advertByteCount &+= Scanning.channelCount * Self.byteCount(of: advertisement)
    }

    mutating func noteConnectionRequest() { notePackets(1, Self.connectionRequestByteCount) }

    /// Empty ones: whoever has nothing to say in a connection event says that.
    mutating func noteLinkPackets(_ count: UInt64) {
        notePackets(count, count &* Self.emptyPacketByteCount)
    }

    /// The first of an event is in a packet that would be empty else, and is counted; any more are in packets of their own.
    mutating func noteData(_ fragment: LinkFragment, isFirstOfEvent: Bool) {
        if !isFirstOfEvent { noteLinkPackets(1) }
        linkByteCount &+= UInt64(fragment.bytes.count)
    }

    private mutating func notePackets(_ count: UInt64, _ byteCount: UInt64) {
        linkPacketCount &+= count
        linkByteCount &+= byteCount
    }
}
