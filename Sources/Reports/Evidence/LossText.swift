import Archive

/// Text about erased ranges that the archive lacks: one line per range.
public enum LossText {
    public static func lines(_ history: BoardHistory, time: TimeText) -> [String] {
        let moments = MomentText(history, time)
        return history.gaps.filter { $0.missingSegmentCount > 0 }.map { gap in
            var text = Markup.count(gap.missingSegmentCount, "segment")
            if gap.missingSegmentCount < gap.segmentCount { text += " of \(gap.segmentCount)" }
            if let count = gap.entryCount {
                text += " with \(gap.isAtLeast ? "at least " : "")\(Markup.count(count, "entry", "entries"))"
            }
            if let span = moments.span(gap.first, gap.last) { text += " \(span)" }
            return text + ", \(gap.cause.text), " + fate(gap)
        }
    }

    private static func fate(_ gap: LogGap) -> String {
        gap.isAcknowledged ? "fetched into another archive" : "never fetched, so they are lost"
    }
}
