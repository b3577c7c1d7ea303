import Archive
import FixedMemory
import Foundation
import LogContents

/// One boot of a board's agent and the basis of its times, as `tabardctl clocks` prints it. Later versions
/// only add fields; they never rename or remove one.
public struct ClockRow: PrintedRow {
    public static let schema = PrintedSchema("clocks")

    public let board: String
    /// 16 hexadecimal digits.
    public let boot: String
    /// `host`, `system`, `order`, `unchecked` or `none`.
    public let basis: String
    /// The first and the last known moment of the boot: RFC 3339, UTC; null without a wall clock.
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    @NullIfUnknown public private(set) var startErrorSeconds: Double?
    @NullIfUnknown public private(set) var endErrorSeconds: Double?
    /// Bounds of start and end: RFC 3339, UTC; null if unknown.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    public let durationSeconds: Double
    /// The number of anchors that the times are based on, and of those that contradict them.
    public let anchorsUsed: Int
    public let anchorsRejected: Int

    /// Nil for a boot without any known moment.
    private init?(_ placement: BootPlacement, _ history: BootHistory, board: LogIdentity) {
        guard let range = history.knownMoments else { return nil }
        let start = range.lowerBound
        let end = range.upperBound
        self.board = board.hexadecimal
        boot = TimeText.boot(history.identifier)
        basis = placement.basis.rawValue
        self.start = placement.wallClock(at: start).map(TimeText.utc)
        self.end = placement.wallClock(at: end).map(TimeText.utc)
        startErrorSeconds = placement.error(at: start)?.fractionalSeconds
        endErrorSeconds = placement.error(at: end)?.fractionalSeconds
        notBefore = placement.notBefore(start).map(TimeText.utc)
        notAfter = placement.notAfter(end).map(TimeText.utc)
        durationSeconds = (end - start).fractionalSeconds
        anchorsUsed = placement.usedAnchorCount
        anchorsRejected = placement.rejectedAnchorCount
    }

    /// One row per boot, in log order.
    public static func rows(_ history: BoardHistory) -> [ClockRow] {
        zip(history.boots, history.placements()).compactMap { ClockRow($1, $0, board: history.board) }
    }

    /// Encodes the rows as a JSON list in UTF-8 with a final line feed. Equal rows give equal bytes.
    public static func json(_ rows: [ClockRow]) throws -> Data {
        try PrintedJSON.data(rows: rows)
    }
}
