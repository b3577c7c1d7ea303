import Archive
import EncounterLog
import FixedMemory

/// Coverage as text for people.
public enum CoverageText {
    /// "93.4 %": at most one decimal, rounded down, so that only full coverage shows as 100 %.
    public static func percent(_ share: Double) -> String {
        let tenths = Int((min(max(share, 0), 1) * 1_000 + 1e-9).rounded(.down))
        return tenths.isMultiple(of: 10) ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// "listened 93.4 % of 14 d, in 12 % of that heard nothing"
    public static func share(_ summary: CoverageSummary) -> String {
        guard let covered = summary.coveredShare else { return "no time" }
        var text = "listened \(percent(covered)) of \(TimeText.duration(summary.total))"
        if let quiet = summary.quietShare, quiet > 0 {
            text += ", in \(percent(quiet)) of that heard nothing"
        }
        return text
    }

    /// The share of the fetched part, and how much of the range is not fetched: "listened 99.8 % of 59 s; the
    /// next 80 s are not fetched yet"
    static func share(ofFetched timeline: CoverageTimeline) -> String {
        let fetched = CoverageSummary(timeline.fetched)
        guard timeline.notFetched > .zero else { return share(fetched) }
        guard fetched.coveredShare != nil else { return "is not fetched yet for this time" }
        return share(fetched) + "; the next \(duration(timeline.notFetched)) are not fetched yet"
    }

    /// "longest blind 4 min 12 s, from 2026-11-21 10:03:20: the agent was not running"
    public static func longestBlind(
        _ summary: CoverageSummary, on timeline: CoverageTimeline, _ time: TimeText
    )
        -> String
    {
        guard let blind = summary.longestBlind else { return "never blind" }
        return "longest blind \(duration(blind.duration)), from "
            + "\(timeline.text(blind.start, time)): \(blind.cause.text)"
    }

    /// A duration; below 10 s with tenths, so that "0.4 s" does not show as 0 s.
    public static func duration(_ interval: Interval) -> String {
        guard interval < .seconds(10) else { return TimeText.duration(interval) }
        return "\(interval.seconds).\(interval.milliseconds % 1_000 / 100) s"
    }

    /// "2 faults: scan restarted, 3 × controller reset"
    public static func faults(_ summary: CoverageSummary) -> String {
        guard summary.faultCount > 0 else { return "no radio fault" }
        let rungs = summary.rungs.isEmpty ? "no recovery step" : RecoveryRung.text(summary.rungs)
        return Markup.count(summary.faultCount, "radio fault") + ": " + rungs
    }
}

extension CoverageTimeline {
    /// A time of this timeline as text.
    public func text(_ point: TimelinePoint, _ time: TimeText) -> String { time.text(point, on: timeline) }
}
