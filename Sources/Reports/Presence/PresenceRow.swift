import Archive
import FixedMemory
import LogContents

/// How many were near a board in a time of one or several quarters of an hour, as `tabardctl presence --json`
/// prints it.
public struct PresenceRow: StreamedRow {
    public static let schema = PrintedSchema("presence")

    public let board: String
    public let name: String
    /// RFC 3339, UTC.
    public let start: String
    public let end: String
    /// The most peers at one moment: at least so many people were there, if each carries one device.
    public let peak: Int
    /// At most so many people were there: peers at the start, and arrivals.
    public let atMost: Int
    /// The mean number of peers at a moment.
    public let mean: Double
    /// The boards of the archive among them; the most of one quarter of an hour.
    public let boards: Int
    /// How often a peer came, or went. A phone that changes its identity does both.
    public let arrivals: Int
    public let departures: Int
    /// The worst error of the times, either way; null if unknown.
    @NullIfUnknown public private(set) var clockErrorSeconds: Double?

    public init(_ period: PresencePeriod, name: String) {
        board = period.board.hexadecimal
        self.name = name
        start = TimeText.utc(period.start)
        end = TimeText.utc(period.end)
        peak = period.peakCount
        atMost = period.upperCount
        mean = (period.meanCount * 100).rounded() / 100
        boards = period.boardCount
        arrivals = period.arrivalCount
        departures = period.departureCount
        clockErrorSeconds = period.clockError?.fractionalSeconds
    }

    private static let columns = [
        "board", "board_name", "start", "end", "peak", "at_most", "mean", "boards", "arrivals", "departures",
        "clock_error_seconds",
    ]

    public static var csvHeader: [UInt8] { CSVLine(columns).utf8 }

    public var csvLine: [UInt8] {
        CSVLine([
            board, name, start, end, "\(peak)", "\(atMost)", "\(mean)", "\(boards)", "\(arrivals)",
            "\(departures)", clockErrorSeconds.map { "\($0)" } ?? "",
        ]).utf8
    }
}
