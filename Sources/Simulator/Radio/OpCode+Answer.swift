import HCI

extension OpCode {
    /// The command that a Command Complete or a Command Status answers (Bluetooth Core 5.4, Vol 4, Part E, 7.7.14, 7.7.15);
    /// nil of all else, and of those that only give a credit.
    static func answered(by packet: [UInt8]) -> OpCode? {
        guard packet.count > 6, packet[0] == PacketIndicator.event.rawValue else { return nil }
        let opCode: OpCode
        switch packet[1] {
        case 0x0e: opCode = OpCode(rawValue: packet.span.loadUInt16(at: 4))
        case 0x0f: opCode = OpCode(rawValue: packet.span.loadUInt16(at: 5))
        default: return nil
        }
        return opCode == .none ? nil : opCode
    }
}
