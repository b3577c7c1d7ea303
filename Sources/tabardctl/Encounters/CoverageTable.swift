import Archive
import CommandLineText
import FixedMemory
import Reports

/// One board's coverage for people: the summary, then every interval.
struct CoverageTable {
    let board: ArchivedBoard
    let timeline: CoverageTimeline
    let time: TimeText
    /// The advertising interval for which the summary states how surely the board hears a sender.
    let senderInterval: Interval

    /// The lines above the intervals, with an empty one behind them.
    var summary: String {
        let summary = CoverageSummary(timeline)
        return """
            \(board.label)\(clock): \(CoverageText.share(summary))
              \(CoverageText.longestBlind(summary, on: timeline, time))
              \(CoverageText.faults(summary))
            \(detection)
            """
    }

    /// A line for each scan timing, with the line feed behind it.
    private var detection: String {
        timeline.timings.compactMap { DetectionText.text($0, senderInterval: senderInterval) }
            .map { "  \($0)\n" }.joined()
    }

    /// The clock of the times in the table.
    private var clock: String {
        switch timeline.timeline {
        case .wallClock(let error):
            return " (times are \(time.zoneName)"
                + (error.map { ", the worst within ±\(TimeText.error($0))" } ?? ", error unknown")
                + ")"
        case .sinceStart(let boot):
            let known = time.error(
                of: timeline.timeline, nil, notBefore: timeline.notBefore,
                notAfter: timeline.notAfter)
            return " (boot \(TimeText.boot(boot)), without a clock: times count from its start"
                + (known == "-" ? "" : "; real time \(known)") + ")"
        }
    }

    var intervals: TextTable {
        var table = TextTable([
            .init(title: "FROM"), .init(title: "TO"),
            .init(title: "ERROR", isNumber: true, narrowing: .dropped(rank: 4)),
            .init(title: "DURATION", isNumber: true, narrowing: .dropped(rank: 5)), .init(title: "STATE"),
            Self.count("REPORTS", rank: 3), Self.count("MALFORMED", rank: 0), Self.count("DROPPED", rank: 1),
            Self.count("EVICTED", rank: 2), .init(title: "REMARKS", narrowing: .wrapped(minimum: 16)),
        ])
        let hasSeveralTimings = timeline.timings.count > 1
        let covered = timeline.covered.map { ($0.start, row($0, showsTiming: hasSeveralTimings)) }
        let blind = timeline.blind.map { ($0.start, row($0)) }
        for (_, row) in (covered + blind).sorted(by: { $0.0 < $1.0 }) { table.append(row) }
        return table
    }

    private static func count(_ title: String, rank: Int) -> TextTable.Column {
        .init(title: title, isNumber: true, narrowing: .dropped(rank: rank), isOptional: true)
    }

    private func row(_ interval: CoveredInterval, showsTiming: Bool) -> [String] {
        times(
            interval.start, interval.end, [interval.startMark, interval.endMark])
            + [
                "covered", "\(interval.reportCount)", "\(interval.malformedCount)",
                "\(interval.droppedCount)",
                "\(interval.evictedCount)",
                remarks(interval, showsTiming: showsTiming),
            ]
    }

    private func remarks(_ interval: CoveredInterval, showsTiming: Bool) -> String {
        let quiet = interval.quietLength
        var remarks: [String] = []
        if showsTiming, let timing = interval.timing {
            remarks.append("listening \(DetectionText.share(timing))")
        }
        if quiet > .zero { remarks.append("heard nothing for \(CoverageText.duration(quiet))") }
        return remarks.joined(separator: "; ")
    }

    private func row(_ interval: BlindInterval) -> [String] {
        times(interval.start, interval.end, [interval.startMark, interval.endMark])
            + ["blind", "", "", "", "", interval.cause.text]
    }

    /// The columns of an interval's times. The error is the larger one of both ends.
    private func times(_ start: TimelinePoint, _ end: TimelinePoint, _ marks: [ClockMark]) -> [String] {
        let errors = marks.map(\.error)
        let worst = errors.contains(nil) ? nil : errors.compactMap(\.self).max()
        return [
            timeline.text(start, time), timeline.text(end, time),
            timeline.isOnWallClock
                ? time.error(of: timeline.timeline, worst, notBefore: nil, notAfter: nil) : "-",
            CoverageText.duration(end.interval(since: start)),
        ]
    }
}
