import Archive
import Foundation
import LogContents

/// One start of a board's agent and what its times rest on, as `tabardctl clocks` prints it. Fields are added here, never
/// renamed or removed.
public struct ClockRow: Encodable, Sendable {
    public let board: String
    /// 16 hexadecimal digits.
    public let boot: String
    /// `host`, `system`, `order`, `unchecked` or `none`.
    public let basis: String
    /// RFC 3339, UTC: of the first and the last thing known of the start; null without a wall clock.
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    @NullIfUnknown public private(set) var startErrorSeconds: Double?
    @NullIfUnknown public private(set) var endErrorSeconds: Double?
    /// RFC 3339, UTC: what is known of start and end at least; null where nothing is.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
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

    /// The array, in UTF-8, with a line feed at its end; the same bytes for the same rows.
    public static func json(_ rows: [ClockRow]) throws -> Data {
        try PrintedJSON.data(rows)
    }
}
