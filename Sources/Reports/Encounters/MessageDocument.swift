import Archive
import Foundation

/// A message, as `tabardctl messages --json` prints it. Later versions only add fields; they never rename or
/// remove one.
public struct MessageDocument: PrintedRow {
    public static let schema = PrintedSchema("messages")

    public let board: String
    /// RFC 3339, UTC; null if the board had no clock.
    @NullIfUnknown public private(set) var time: String?
    /// The error bound of the time, either way; null if unknown or if the board had no clock.
    @NullIfUnknown public private(set) var errorSeconds: Double?
    /// The basis of the time: `host`, `system`, `order`, `unchecked` or `none`.
    public let clockBasis: String
    /// Bounds of the time if its error is unknown: RFC 3339, UTC; null if unknown.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    /// Seconds since the boot; null if the board had a clock.
    @NullIfUnknown public private(set) var secondsSinceStart: Double?
    /// "message" or "shared payloads"
    public let kind: String
    /// Hexadecimal; null if the sender is unidentified.
    @NullIfUnknown public private(set) var sender: String?
    @NullIfUnknown public private(set) var senderLabel: String?
    @NullIfUnknown public private(set) var address: String?
    /// Hexadecimal.
    public let bytes: String
    /// Null if the bytes are not plain text.
    @NullIfUnknown public private(set) var text: String?
    /// Hexadecimal; null if the payloads cannot be separated, and for immediate messages.
    @NullIfUnknown public private(set) var payloads: [String]?
    /// The sender's RSSI of the board.
    @NullIfUnknown public private(set) var rssiDBm: Int?

    public init(_ message: ReceivedMessage) {
        board = message.board.hexadecimal
        time = message.moment.timeline.wallClock(message.moment.time).map(TimeText.utc)
        errorSeconds = message.moment.error?.fractionalSeconds
        clockBasis = message.moment.basis.rawValue
        notBefore = message.moment.notBefore.map(TimeText.utc)
        notAfter = message.moment.notAfter.map(TimeText.utc)
        secondsSinceStart = message.moment.secondsSinceStart
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
        try PrintedJSON.data(rows: messages.map(MessageDocument.init))
    }
}
