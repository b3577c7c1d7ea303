import Archive
import Reports

/// One board's coverage for people: the summary, then every interval.
struct CoverageTable {
    let board: BoardSummary
    let timeline: CoverageTimeline
    let time: TimeText

    var text: String {
        let summary = CoverageSummary(timeline)
        return """
            \(board.label)\(clock): \(CoverageText.share(summary))
              \(CoverageText.longestBlind(summary, on: timeline, time))
              \(CoverageText.faults(summary))

            \(intervals)
            """
    }

    /// What the times below are.
    private var clock: String {
        switch timeline.timeline {
        case .wallClock(let error):
            let zone = time.zoneName(atMilliseconds: timeline.range.lowerBound)
            return " (times are \(zone)" + (error.map { ", within \($0) ms" } ?? ", nobody knows how exactly")
                + ")"
        case .sinceStart(let boot):
            return " (start \(TimeText.boot(boot)), which had no clock: times count from it)"
        }
    }

    private var intervals: String {
        var table = TextTable([
            .init(title: "FROM"), .init(title: "TO"), .init(title: "DURATION", isNumber: true),
            .init(title: "STATE"), .init(title: "REPORTS", isNumber: true),
            .init(title: "MALFORMED", isNumber: true), .init(title: "DROPPED", isNumber: true),
            .init(title: "EVICTED", isNumber: true), .init(title: "REMARKS"),
        ])
        let covered = timeline.covered.map { ($0.startMilliseconds, row($0)) }
        let blind = timeline.blind.map { ($0.startMilliseconds, row($0)) }
        for (_, row) in (covered + blind).sorted(by: { $0.0 < $1.0 }) { table.append(row) }
        return table.text()
    }

    private func row(_ interval: CoveredInterval) -> [String] {
        let quiet = interval.quietMilliseconds
        return times(interval.startMilliseconds, interval.endMilliseconds) + [
            "covered", "\(interval.reportCount)", "\(interval.malformedCount)", "\(interval.droppedCount)",
            "\(interval.evictedCount)", quiet == 0 ? "" : "heard nothing for \(CoverageText.duration(quiet))",
        ]
    }

    private func row(_ interval: BlindInterval) -> [String] {
        times(interval.startMilliseconds, interval.endMilliseconds)
            + ["blind", "", "", "", "", interval.cause.words]
    }

    private func times(_ start: Int64, _ end: Int64) -> [String] {
        [timeline.text(start, time), timeline.text(end, time), CoverageText.duration(end - start)]
    }
}
