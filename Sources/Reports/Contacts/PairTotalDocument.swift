import FixedMemory

/// The contacts of two boards, as `tabardctl contacts --totals --json` prints them.
public struct PairTotalDocument: StreamedRow {
    public static let schema = PrintedSchema("contact-totals")

    /// The board that was registered earlier.
    public let board: BoardReference
    public let otherBoard: BoardReference
    public let contacts: Int
    /// The time together, without what lies outside of the asked time.
    public let durationSeconds: Double
    /// The longest contact, whole.
    public let longestSeconds: Double
    /// RFC 3339, UTC: the start of the first contact.
    public let start: String
    /// The end of the last one.
    public let end: String

    public init(_ pair: PairTotals.Pair, _ sum: PairTotals.Sum, names: BoardNames) {
        board = BoardReference(pair.first, names: names)
        otherBoard = BoardReference(pair.second, names: names)
        contacts = sum.contactCount
        durationSeconds = sum.time.fractionalSeconds
        longestSeconds = sum.longest.fractionalSeconds
        start = TimeText.utc(WallClockTime(clamping: sum.firstStart.milliseconds))
        end = TimeText.utc(WallClockTime(clamping: sum.lastEnd.milliseconds))
    }

    private static let columns = [
        "board", "board_name", "other_board", "other_board_name", "contacts", "duration_seconds",
        "longest_seconds", "start", "end",
    ]

    /// UTF-8.
    public static var csvHeader: [UInt8] { CSVLine(columns).utf8 }

    /// UTF-8.
    public var csvLine: [UInt8] {
        CSVLine([
            board.board, board.name, otherBoard.board, otherBoard.name, "\(contacts)", "\(durationSeconds)",
            "\(longestSeconds)", start, end,
        ]).utf8
    }
}
