import HCI

/// Infers the direction of H4 packets from a capture that does not state it.
///
/// On LE connections, a host begins a frame with the boundary flag 0 and a controller with 2, and neither may
/// use the other's flag. Source: Bluetooth Core 5.4, Vol 4, Part E, 5.4.2. On BR/EDR connections a host may
/// use 2 as well, and then its packet counts as received.
struct DirectionInference {
    /// Whether the last frame that began on a connection was received. There are at most 4,096 connections.
    private var isReceived: [UInt16: Bool] = [:]

    /// - Parameter packet: an H4 packet with its indicator.
    mutating func isReceived(_ packet: [UInt8]) -> Bool {
        guard let kind = packet.first.flatMap({ PacketIndicator(rawValue: $0) }) else { return true }
        guard kind == .aclData, packet.count >= 3 else { return kind != .command }
        let field = UInt16(packet[2]) << 8 | UInt16(packet[1])
        let handle = field & 0x0fff
        switch field >> 12 & 3 {
        case 0: isReceived[handle] = false
        case 1: break
        default: isReceived[handle] = true
        }
        return isReceived[handle] ?? true
    }
}
