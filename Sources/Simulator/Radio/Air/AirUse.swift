/// The bytes that a station has sent, counted on the air from preamble to checksum.
///
/// Source: Bluetooth Core 5.4, Vol 6, Part B, 2.1; at 1 Mbit/s a byte takes 8 µs.
public struct AirUse: Sendable {
    /// The number of adverts; each was sent on three channels.
    public private(set) var advertCount: UInt64 = 0
    public private(set) var advertByteCount: UInt64 = 0
    /// The number of connection requests and packets on links.
    public private(set) var linkPacketCount: UInt64 = 0
    public private(set) var linkByteCount: UInt64 = 0

    public init() {}

    public var byteCount: UInt64 { advertByteCount + linkByteCount }
    public var airTime: SimulatedDuration { .microseconds(byteCount * Self.microsecondsPerByte) }

    static let microsecondsPerByte: UInt64 = 8
    /// Preamble, access address, header and checksum.
    static let emptyPacketByteCount: UInt64 = 10
    private static let addressByteCount: UInt64 = 6
    private static let connectionRequestByteCount: UInt64 = emptyPacketByteCount + 34

    static func byteCount(of advertisement: Advertisement) -> UInt64 {
        emptyPacketByteCount + addressByteCount + UInt64(advertisement.data.count)
    }

    mutating func count(_ advertisement: Advertisement) {
        advertCount &+= 1
        advertByteCount &+= Scanning.channelCount * Self.byteCount(of: advertisement)
    }

    mutating func countConnectionRequest() { countPackets(1, Self.connectionRequestByteCount) }

    /// Counts empty packets. A side without data sends one in each connection event.
    mutating func countLinkPackets(_ count: UInt64) {
        countPackets(count, count &* Self.emptyPacketByteCount)
    }

    /// Counts a data packet. The first of an event replaces the empty packet that is already counted; each
    /// further one is a packet of its own.
    mutating func countData(_ fragment: LinkFragment, isFirstOfEvent: Bool) {
        if !isFirstOfEvent { countLinkPackets(1) }
        linkByteCount &+= UInt64(fragment.bytes.count)
    }

    private mutating func countPackets(_ count: UInt64, _ byteCount: UInt64) {
        linkPacketCount &+= count
        linkByteCount &+= byteCount
    }
}
