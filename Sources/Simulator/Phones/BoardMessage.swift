import Protocols

/// A complete message that a board has written to a phone's signal characteristic. It has a parser of its
/// own, because it must be able to show errors of the agent's codec.
public struct BoardMessage: Sendable, Equatable {
    public let code: HeraldSignalCode
    /// The data without code, RSSI and length.
    public let data: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard let code = bytes.first.flatMap(HeraldSignalCode.init),
            Self.byteCount(beginning: bytes) == bytes.count
        else { return nil }
        self.code = code
        data = Array(bytes.dropFirst(code == .payloadSharing ? 5 : 3))
    }

    /// The length of the message with this beginning. Nil while it is unknown, or if there is no such
    /// message.
    static func byteCount(beginning bytes: [UInt8]) -> Int? {
        switch bytes.first {
        case 2: 3
        case 1 where bytes.count >= 3, 4 where bytes.count >= 3: 3 + Int(bytes[1]) + Int(bytes[2]) << 8
        case 3 where bytes.count >= 5: 5 + Int(bytes[3]) + Int(bytes[4]) << 8
        default: nil
        }
    }
}
