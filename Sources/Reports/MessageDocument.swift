import Archive
import Foundation

/// A message as `tabardctl messages --json` prints it. Fields are added here, never renamed or removed.
public struct MessageDocument: Encodable, Sendable {
    public let board: String
    /// RFC 3339, UTC; null when the board had no clock.
    public let time: String?
    /// How far it may be off, either way; null when nobody can say, or when the board had no clock.
    public let errorSeconds: Double?
    /// What the time rests on: `host`, `system`, `order`, `unchecked` or `none`.
    public let clockBasis: String
    /// RFC 3339, UTC: what is known where there is no error; null where nothing is.
    public let notBefore: String?
    public let notAfter: String?
    /// Counted from the start of the agent; null when the board had a clock.
    public let secondsSinceStart: Double?
    /// "message" or "shared payloads"
    public let kind: String
    /// In hexadecimal; null when nobody knows who it was.
    public let sender: String?
    public let senderLabel: String?
    public let address: String?
    /// In hexadecimal.
    public let bytes: String
    /// Null when the bytes are no text.
    public let text: String?
    /// In hexadecimal; null when they cannot be told apart, and for messages.
    public let payloads: [String]?
    /// How the sender hears the board.
    public let rssiDBm: Int?

    public init(_ message: ReceivedMessage) {
        board = message.board.hexadecimal
        time = message.isOnWallClock ? TimeText.utc(message.milliseconds) : nil
        errorSeconds = message.errorMilliseconds.map { Double($0) / 1000 }
        clockBasis = message.basis.rawValue
        notBefore = message.notBeforeMilliseconds.map(TimeText.utc)
        notAfter = message.notAfterMilliseconds.map(TimeText.utc)
        secondsSinceStart = message.isOnWallClock ? nil : Double(message.milliseconds) / 1000
        sender = message.sender?.hexadecimal
        senderLabel = message.sender?.label
        address = message.address?.text
        payloads = message.sharedPayloads?.map(\.hexadecimal)
        switch message.content {
        case .immediate(let bytes):
            kind = "message"
            self.bytes = bytes.hexadecimal
            text = MessageText.plain(bytes)
            rssiDBm = nil
        case .sharedPayloads(let bytes, let strength):
            kind = "shared payloads"
            self.bytes = bytes.hexadecimal
            text = nil
            rssiDBm = strength
        }
    }

    private enum CodingKeys: CodingKey {
        case board, time, errorSeconds, clockBasis, notBefore, notAfter, secondsSinceStart, kind, sender,
            senderLabel, address, bytes, text, payloads,
            rssiDBm
    }

    /// Every key is always there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board, forKey: .board)
        try container.encode(time, forKey: .time)
        try container.encode(errorSeconds, forKey: .errorSeconds)
        try container.encode(clockBasis, forKey: .clockBasis)
        try container.encode(notBefore, forKey: .notBefore)
        try container.encode(notAfter, forKey: .notAfter)
        try container.encode(secondsSinceStart, forKey: .secondsSinceStart)
        try container.encode(kind, forKey: .kind)
        try container.encode(sender, forKey: .sender)
        try container.encode(senderLabel, forKey: .senderLabel)
        try container.encode(address, forKey: .address)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(text, forKey: .text)
        try container.encode(payloads, forKey: .payloads)
        try container.encode(rssiDBm, forKey: .rssiDBm)
    }

    public static func json(_ messages: [ReceivedMessage]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(messages.map(MessageDocument.init)) + Data("\n".utf8)
    }
}
