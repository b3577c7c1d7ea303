import Archive
import FixedMemory
import LogContents

/// A common visit of two boards to a beacon, as `tabardctl contacts --at-beacons --json` prints it.
public struct CommonVisitDocument: StreamedRow {
    public static let schema = PrintedSchema("common-visits")

    public let beacon: BoardReference
    /// The board that came first.
    public let board: BoardReference
    public let otherBoard: BoardReference
    /// RFC 3339, UTC: the time in which both were there.
    public let start: String
    public let end: String
    public let durationSeconds: Double
    /// The error bound of its times, either way.
    public let clockErrorSeconds: Double

    public init(_ visit: CommonVisit, names: BoardNames) {
        beacon = BoardReference(visit.beacon, names: names)
        board = BoardReference(visit.first, names: names)
        otherBoard = BoardReference(visit.second, names: names)
        start = TimeText.utc(WallClockTime(clamping: visit.start.milliseconds))
        end = TimeText.utc(WallClockTime(clamping: visit.end.milliseconds))
        durationSeconds = visit.duration.fractionalSeconds
        clockErrorSeconds = visit.clockError.fractionalSeconds
    }

    private static let columns = [
        "beacon", "beacon_name", "board", "board_name", "other_board", "other_board_name", "start", "end",
        "duration_seconds", "clock_error_seconds",
    ]

    /// UTF-8.
    public static var csvHeader: [UInt8] { CSVLine(columns).utf8 }

    /// UTF-8.
    public var csvLine: [UInt8] {
        CSVLine([
            beacon.board, beacon.name, board.board, board.name, otherBoard.board, otherBoard.name,
            start, end, "\(durationSeconds)", "\(clockErrorSeconds)",
        ]).utf8
    }
}
