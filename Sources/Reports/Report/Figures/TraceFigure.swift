import Archive

/// A figure of one encounter's signal strength over time: a line for the mean of each sample, a band from the
/// weakest to the strongest reading. All traces have the same scale, so they can be compared.
struct TraceFigure {
    let encounter: Encounter
    /// The peer, and the board that it was near.
    let label: String
    let clock: TimeText?
    /// An identifier that is unique within the page.
    let identifier: String

    private static let width = 340.0
    private static let height = 150.0
    private static let left = 40.0
    private static let right = 8.0
    private static let top = 12.0
    private static let bottom = 26.0
    private static let strongestDBm = -30.0
    private static let weakestDBm = -100.0
    /// The maximum number of columns; more could not be distinguished.
    private static let columnCount = 200

    func svg() -> String {
        let axis = TimeAxis(
            covering: encounter
                .start...max(encounter.end, encounter.start),
            left: Self.left, width: Self.width - Self.left - Self.right, clock: clock, tickCount: 3)
        return """
            <svg class="trace" viewBox="0 0 \(Markup.number(Self.width)) \(Markup.number(Self.height))" role="img" \
            aria-labelledby="\(identifier)-title">
            <title id="\(identifier)-title">\(Markup.escaped(title))</title>
            \(grid(axis))\(curves(axis))</svg>

            """
    }

    private var title: String {
        guard let rssi = encounter.rssi else { return "No signal strength was kept of \(label)" }
        return
            "Signal strength of \(label) over \(TimeText.duration(encounter.duration)): "
            + "from \(Markup.dBm(rssi.minimumDBm)) to \(Markup.dBm(rssi.maximumDBm)) dBm, "
            + "mean \(Markup.dBm(rssi.meanDBm)) dBm"
    }

    private func grid(_ axis: TimeAxis) -> String {
        var result = "<g class=\"axis\">\n"
        for level in stride(from: Self.weakestDBm, through: Self.strongestDBm, by: 20) {
            let y = Markup.number(Self.y(level))
            result += """
                <line x1="\(Markup.number(axis.left))" y1="\(y)" x2="\(Markup.number(axis.right))" y2="\(y)"/>\
                <text x="\(Markup.number(axis.left - 8))" y="\(y)" text-anchor="end" \
                dominant-baseline="central">\(Markup.dBm(Int(level)))</text>

                """
        }
        for tick in axis.ticks {
            let x = Markup.number(tick.x)
            result += """
                <line class="tick" x1="\(x)" y1="\(Markup.number(Self.height - Self.bottom))" x2="\(x)" \
                y2="\(Markup.number(Self.height - Self.bottom + 4))"/>

                """
            guard let label = tick.label else { continue }
            result += """
                <text x="\(x)" y="\(Markup.number(Self.height - 8))" text-anchor="\(axis.anchor(of: tick))">\(label)</text>

                """
        }
        return result + "</g>\n"
    }

    private func curves(_ axis: TimeAxis) -> String {
        let size = max(1, encounter.samples.count / Self.columnCount)
        return SampleRuns.runs(encounter.samples).map { run in
            curve(SampleRuns.thinned(run, to: max(2, run.count / size)), axis)
        }.joined()
    }

    private func curve(_ samples: [Sample<TimelinePoint>], _ axis: TimeAxis) -> String {
        guard samples.count > 1 else { return samples.first.map { dot($0, axis) } ?? "" }
        let upper = samples.map { (x: axis.x($0.middle), y: Self.y(Double($0.maximumDBm))) }
        let lower = samples.reversed().map {
            (x: axis.x($0.middle), y: Self.y(Double($0.minimumDBm)))
        }
        let mean = samples.map { (x: axis.x($0.middle), y: Self.y($0.meanDBm)) }
        return """
            <path class="band" d="\(Markup.path(upper + lower))Z"/>\
            <path class="mean" d="\(Markup.path(mean))"/>

            """
    }

    private func dot(_ sample: Sample<TimelinePoint>, _ axis: TimeAxis) -> String {
        let x = Markup.number(axis.x(sample.middle))
        return """
            <line class="whisker" x1="\(x)" y1="\(Markup.number(Self.y(Double(sample.maximumDBm))))" x2="\(x)" \
            y2="\(Markup.number(Self.y(Double(sample.minimumDBm))))"/>\
            <circle class="dot" cx="\(x)" cy="\(Markup.number(Self.y(sample.meanDBm)))" r="2.6"/>

            """
    }

    private static func y(_ dBm: Double) -> Double {
        let fraction = (min(max(dBm, weakestDBm), strongestDBm) - weakestDBm) / (strongestDBm - weakestDBm)
        return height - bottom - fraction * (height - bottom - top)
    }
}
