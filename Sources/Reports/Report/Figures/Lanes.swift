import Archive

/// A figure over time with one row for each board or peer: its name, and a drawing as wide as the window
/// allows. On a phone the name stands above the drawing.
struct Lanes {
    let axis: TimeAxis
    private(set) var rows: [String] = []

    init(axis: TimeAxis) { self.axis = axis }

    /// - Parameters:
    ///   - remark: small text below the name.
    ///   - text: what the drawing shows, for those who do not see it.
    ///   - drawing: SVG; lengths along the time are in percent.
    mutating func add(
        _ name: String, remark: String = "", kind: String, height: Int, text: String, drawing: String
    ) {
        let small = remark.isEmpty ? "" : " <small>\(Markup.escaped(remark))</small>"
        rows.append(
            """
            <li class="lane \(kind)"><span class="name">\(Markup.escaped(name))\(small)</span>\
            <svg height="\(height)" role="img" aria-label="\(Markup.escaped(text))">\(lines)\(drawing)</svg></li>

            """)
    }

    func html() -> String {
        """
        <div class="lanes">
        <div class="lane axis" aria-hidden="true"><span class="name"></span>\
        <svg height="20">\(labels)</svg></div>
        <ul>
        \(rows.joined())</ul>
        </div>

        """
    }

    private var labels: String {
        axis.ticks.enumerated().compactMap { index, tick in
            guard let label = tick.label else { return nil }
            let kind = index.isMultiple(of: 2) ? "" : " class=\"odd\""
            let anchor = axis.anchor(of: tick)
            return "<text\(kind) x=\"\(share(tick))\" y=\"13\" text-anchor=\"\(anchor)\">\(label)</text>"
        }.joined()
    }

    private var lines: String {
        axis.ticks.map {
            "<line class=\"grid\" x1=\"\(share($0))\" y1=\"0\" x2=\"\(share($0))\" y2=\"100%\"/>"
        }
        .joined()
    }

    private func share(_ tick: TimeAxis.Tick) -> String {
        Markup.percent((tick.x - axis.left) / axis.width)
    }

    /// Paths with 1000 units of width, stretched to the row's.
    static func stretched(height: Int, _ paths: String) -> String {
        guard !paths.isEmpty else { return "" }
        return """
            <svg width="100%" height="\(height)" viewBox="0 0 1000 \(height)" preserveAspectRatio="none">\
            \(paths)</svg>
            """
    }
}
