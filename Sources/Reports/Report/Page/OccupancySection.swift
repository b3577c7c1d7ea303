import Archive
import FixedMemory

/// The report's section on how many were near over time.
struct OccupancySection {
    let model: ReportModel

    func html() -> String {
        // One step says no more than the summary.
        guard let occupancy = model.occupancy, !occupancy.boards.isEmpty, !occupancy.isOneStep else {
            return ""
        }
        let figure = OccupancyFigure(model: model, occupancy: occupancy)
        return """
            <section>
            <h2>How many were near</h2>
            <p class="note">\(Markup.escaped(note(figure)))</p>
            <div class="figure">
            \(figure.html())\(key)</div>
            \(Markup.download(figure.csv, as: "presence"))</section>

            """
    }

    private func note(_ figure: OccupancyFigure) -> String {
        let unit = figure.occupancy.bins.unit
        var text =
            "Each step is one \(unit). The solid area is the most at one moment: so many people at least, "
        text += "if each carries one device. The outline is the most of a quarter of an hour: phones that "
        text += "changed their identity count twice there. All rows have one scale, 0 to \(figure.highest). "
        text += "Hatching: the board listened for less than half of the time, so an empty row means nothing."
        let smallest = model.options.people.smallest
        if model.options.people.hidesSmall {
            text += " Counts from 1 to \(smallest - 1) are drawn as \(smallest); the mean is left out."
        }
        if figure.hiddenBoardCount > 0 {
            text += " The \(figure.boards.count) busiest boards are drawn; "
            text +=
                "\(Markup.count(figure.hiddenBoardCount, "other")) \(figure.hiddenBoardCount == 1 ? "has" : "have") "
            text += "no room: `tabardctl presence` lists all."
        }
        return text
    }

    private var key: String {
        let mean =
            model.options.people.hidesSmall
            ? ""
            : "<li><svg width=\"26\" height=\"10\" aria-hidden=\"true\"><path class=\"average\" d=\"M0,5h26\"/></svg>mean</li>"
        return """
            <ul class="key"><li><svg width="26" height="10" aria-hidden="true"><rect class="peak" width="26" \
            height="10"/></svg>most at one moment</li><li><svg width="26" height="10" aria-hidden="true">\
            <rect class="most" x="0.5" y="0.5" width="25" height="9"/></svg>most of a quarter of an hour</li>\(mean)</ul>

            """
    }
}
