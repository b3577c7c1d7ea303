import Archive

/// Covered and blind intervals as a CSV table (RFC 4180): a header line, times in UTC, and empty fields for
/// unknown values.
public enum CoverageCSV {
    public static let columns = [
        "board", "clock", "boot", "state", "start", "end", "start_monotonic_milliseconds",
        "end_monotonic_milliseconds", "duration_seconds", "clock_error_seconds", "reports", "malformed",
        "dropped", "evicted", "quiet_seconds", "cause", "faults", "rungs", "start_error_seconds",
        "end_error_seconds", "scan_interval_milliseconds", "scan_window_milliseconds",
    ]

    public static func text(_ timelines: [CoverageTimeline]) -> String {
        let rows = timelines.flatMap(CoverageRow.rows).map(fields)
        return ([columns] + rows).map { CSVLine($0).text }.joined()
    }

    private static func fields(_ row: CoverageRow) -> [String] {
        [
            row.board, row.clock, row.boot ?? "", row.state, row.start ?? "", row.end ?? "",
            text(row.startMonotonicMilliseconds), text(row.endMonotonicMilliseconds),
            "\(row.durationSeconds)", text(row.clockErrorSeconds), text(row.reports), text(row.malformed),
            text(row.dropped), text(row.evicted), text(row.quietSeconds), row.cause ?? "",
            row.faults.joined(separator: " "), row.rungs.joined(separator: " "),
            text(row.startErrorSeconds), text(row.endErrorSeconds), text(row.scanIntervalMilliseconds),
            text(row.scanWindowMilliseconds),
        ]
    }

    private static func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "" }
}
