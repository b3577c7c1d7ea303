import HCI

extension PacketIndicator {
    /// The kind of packet that a record of the Linux monitor has; nil for one without an HCI packet.
    init?(monitorCode code: UInt16) {
        switch code {
        case 2: self = .command
        case 3: self = .event
        case 4, 5: self = .aclData
        case 6, 7: self = .synchronousData
        case 18, 19: self = .isochronousData
        default: return nil
        }
    }

    /// The code of the Linux monitor for a packet of this kind.
    func monitorCode(isReceived: Bool) -> UInt16 {
        switch self {
        case .command: 2
        case .event: 3
        case .aclData: isReceived ? 5 : 4
        case .synchronousData: isReceived ? 7 : 6
        case .isochronousData: isReceived ? 19 : 18
        }
    }
}
