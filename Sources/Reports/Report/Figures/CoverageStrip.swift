import Archive

/// One board's coverage as a band along a time axis.
struct CoverageStrip {
    let timeline: CoverageTimeline
    let axis: TimeAxis
    let y: Double
    let height: Double
    let time: TimeText

    /// The minimum drawn width of blind times, so that a minute stays visible in a long record.
    private static let narrowest = 3.0

    func svg() -> String {
        // Draw covered time first, then quiet time, then blind time on top, so that no blind time is hidden.
        var result = ""
        let covered = timeline.covered.map { Stretch($0.start, $0.end) }
        result += rects(covered, .heard, narrowest: 0.8)
        // Quiet times too short to be visible are not widened, because they would hide covered time between
        // them.
        let quiet = timeline.covered.flatMap(\.quiet).map { Stretch($0.lowerBound, $0.upperBound) }
            .filter { axis.x($0.end) - axis.x($0.start) >= 0.8 }
        result += rects(quiet, .quiet, narrowest: 0)
        for state in [CoverageState.unrecorded, .off, .untold, .radio] {
            let blind = timeline.blind.filter { CoverageState($0.cause) == state }
            result += rects(
                blind.map { Stretch($0.start, $0.end, text: $0.cause.text) }, state,
                narrowest: Self.narrowest)
        }
        return result
    }

    /// Draws intervals as rectangles; intervals that would touch in the picture are merged.
    private func rects(_ stretches: [Stretch], _ state: CoverageState, narrowest: Double) -> String {
        var runs: [Run] = []
        for stretch in stretches
        where stretch.end >= axis.range.lowerBound && stretch.start <= axis.range.upperBound {
            let left = max(axis.x(stretch.start), axis.left)
            let right = min(axis.x(stretch.end), axis.right)
            let missing = max(0, narrowest - (right - left)) / 2
            let run = Run(left: left - missing, right: right + missing, stretch: stretch)
            if let last = runs.last, run.left <= last.right + 0.4 {
                runs[runs.count - 1].append(run)
            } else {
                runs.append(run)
            }
        }
        return runs.map { rect($0, state) }.joined()
    }

    private func rect(_ run: Run, _ state: CoverageState) -> String {
        """
        <rect \(state.attributes) x="\(Markup.percent(run.left / axis.width))" y="\(Markup.number(y))" \
        width="\(Markup.percent(max(run.right - run.left, 0.5) / axis.width))" height="\(Markup.number(height))" rx="1.5">\
        <title>\(Markup.escaped(tooltip(run, state)))</title></rect>

        """
    }

    private func tooltip(_ run: Run, _ state: CoverageState) -> String {
        let span = "\(timeline.text(run.start, time)) to \(timeline.text(run.end, time))"
        if run.count > 1 { return "\(run.count) times \(state.legend), \(span)" }
        return "\(run.text ?? state.legend), \(span)"
    }
}

/// An interval in one state.
private struct Stretch {
    let start: TimelinePoint
    let end: TimelinePoint
    let text: String?

    init(_ start: TimelinePoint, _ end: TimelinePoint, text: String? = nil) {
        self.start = start
        self.end = end
        self.text = text
    }
}

/// Intervals that are drawn as one rectangle.
private struct Run {
    let left: Double
    var right: Double
    let start: TimelinePoint
    var end: TimelinePoint
    var count = 1
    let text: String?

    init(left: Double, right: Double, stretch: Stretch) {
        self.left = left
        self.right = right
        start = stretch.start
        end = stretch.end
        text = stretch.text
    }

    mutating func append(_ next: Run) {
        right = max(right, next.right)
        end = max(end, next.end)
        count += 1
    }
}
