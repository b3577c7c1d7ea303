import HCI

extension OpCode {
    /// The command that a Command Complete or a Command Status answers
    /// (Bluetooth Core 5.4, Vol 4, Part E, 7.7.14, 7.7.15). Nil for other packets, and for events that only
    /// give a credit.
    static func answered(by packet: [UInt8]) -> OpCode? {
        guard packet.count > 6, packet[0] == PacketIndicator.event.rawValue else { return nil }
        let opCode: OpCode
        switch packet[1] {
        case 0x0e: opCode = OpCode(rawValue: packet.span.loadUInt16(at: 4))
        case 0x0f:
            opCode = OpCode(rawValue: packet.span.loadUInt16(at: 5))
            // Command Complete is yet to come.
            if packet[3] == 0, !opCode.isAnsweredByStatus { return nil }
        default: return nil
        }
        return opCode == .none ? nil : opCode
    }

    /// The opcode of a command packet; nil for other packets.
    static func sent(in packet: [UInt8]) -> OpCode? {
        guard packet.count >= 4, packet[0] == PacketIndicator.command.rawValue else { return nil }
        return OpCode(rawValue: packet.span.loadUInt16(at: 1))
    }
}

extension Status {
    /// The status in a packet that answers a command.
    init?(answeredBy packet: [UInt8]) {
        switch try? Event(packet.span) {
        case .commandComplete(_, _, let returned)? where returned.count > 0: self.init(rawValue: returned[0])
        case .commandStatus(_, _, let status)?: self = status
        default: return nil
        }
    }
}
