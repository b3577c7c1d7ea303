import Archive
import Foundation

/// A message as `tabardctl messages --json` prints it. Fields are added here, never renamed or removed.
public struct MessageDocument: Encodable, Sendable {
    public let board: String
    /// RFC 3339, UTC; null when the board had no clock.
    @NullIfUnknown public private(set) var time: String?
    /// How far it may be off, either way; null when nobody can say, or when the board had no clock.
    @NullIfUnknown public private(set) var errorSeconds: Double?
    /// What the time rests on: `host`, `system`, `order`, `unchecked` or `none`.
    public let clockBasis: String
    /// RFC 3339, UTC: what is known where there is no error; null where nothing is.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    /// Counted from the start of the agent; null when the board had a clock.
    @NullIfUnknown public private(set) var secondsSinceStart: Double?
    /// "message" or "shared payloads"
    public let kind: String
    /// In hexadecimal; null when nobody knows who it was.
    @NullIfUnknown public private(set) var sender: String?
    @NullIfUnknown public private(set) var senderLabel: String?
    @NullIfUnknown public private(set) var address: String?
    /// In hexadecimal.
    public let bytes: String
    /// Null when the bytes are no text.
    @NullIfUnknown public private(set) var text: String?
    /// In hexadecimal; null when they cannot be told apart, and for messages.
    @NullIfUnknown public private(set) var payloads: [String]?
    /// How the sender hears the board.
    @NullIfUnknown public private(set) var rssiDBm: Int?

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

    public static func json(_ messages: [ReceivedMessage]) throws -> Data {
        try PrintedJSON.data(messages.map(MessageDocument.init))
    }
}
