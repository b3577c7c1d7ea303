/// The link types of pcap and pcapng that carry HCI packets. Source: tcpdump's list of link types.
enum LinkType: UInt32 {
    /// H4 packets.
    case h4 = 187
    /// A direction (4, big-endian; odd if the host received the packet), then an H4 packet.
    case h4WithDirection = 201
    /// The adapter's number (2) and a code (2), both big-endian, then a record of the Linux monitor.
    case linuxMonitor = 254

    var headerByteCount: Int { self == .h4 ? 0 : 4 }
}
