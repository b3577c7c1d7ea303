import Archive
import Foundation

/// One start of a board's agent and what its times rest on, as `tabardctl clocks` prints it. Fields are added here, never
/// renamed or removed.
public struct ClockRow: Encodable, Sendable {
    public let board: String
    /// 16 hexadecimal digits.
    public let boot: String
    /// `host`, `system`, `order`, `unchecked` or `none`.
    public let basis: String
    /// RFC 3339, UTC: of the first and the last thing known of the start; null without a wall clock.
    public let start: String?
    public let end: String?
    public let startErrorSeconds: Double?
    public let endErrorSeconds: Double?
    /// RFC 3339, UTC: what is known of start and end at least; null where nothing is.
    public let notBefore: String?
    public let notAfter: String?
    public let durationSeconds: Double
    /// Readings of its clock that its times rest on, and those that contradict them.
    public let anchorsUsed: Int
    public let anchorsRejected: Int

    /// Nil for a start of which nothing is known.
    private init?(_ placement: BootPlacement, _ history: BootHistory, board: LogIdentity) {
        guard let range = history.knownMoments else { return nil }
        let start = range.lowerBound
        let end = range.upperBound
        func utc(_ moment: Int64) -> String? {
            placement.isOnWallClock ? TimeText.utc(placement.milliseconds(at: moment)) : nil
        }
        self.board = board.hexadecimal
        boot = TimeText.boot(history.identifier)
        basis = placement.basis.rawValue
        self.start = utc(start)
        self.end = utc(end)
        startErrorSeconds = placement.errorMilliseconds(at: start).map { Double($0) / 1000 }
        endErrorSeconds = placement.errorMilliseconds(at: end).map { Double($0) / 1000 }
        notBefore = placement.notBefore(start).map(TimeText.utc)
        notAfter = placement.notAfter(end).map(TimeText.utc)
        durationSeconds = Double(end - start) / 1000
        anchorsUsed = placement.usedAnchorCount
        anchorsRejected = placement.rejectedAnchorCount
    }

    /// In the log's order.
    public static func rows(_ history: BoardHistory) -> [ClockRow] {
        zip(history.boots, history.placements()).compactMap { ClockRow($1, $0, board: history.board) }
    }

    private enum CodingKeys: CodingKey {
        case board, boot, basis, start, end, startErrorSeconds, endErrorSeconds, notBefore, notAfter
        case durationSeconds, anchorsUsed, anchorsRejected
    }

    /// Every key is always there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board, forKey: .board)
        try container.encode(boot, forKey: .boot)
        try container.encode(basis, forKey: .basis)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(startErrorSeconds, forKey: .startErrorSeconds)
        try container.encode(endErrorSeconds, forKey: .endErrorSeconds)
        try container.encode(notBefore, forKey: .notBefore)
        try container.encode(notAfter, forKey: .notAfter)
        try container.encode(durationSeconds, forKey: .durationSeconds)
        try container.encode(anchorsUsed, forKey: .anchorsUsed)
        try container.encode(anchorsRejected, forKey: .anchorsRejected)
    }

    /// The array, in UTF-8, with a line feed at its end; the same bytes for the same rows.
    public static func json(_ rows: [ClockRow]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(rows) + Data("\n".utf8)
    }
}
