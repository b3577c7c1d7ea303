import Archive
import FixedMemory

/// The origin of the report's numbers, including damaged pages: enough to reproduce the report.
struct ReportProvenance {
    let model: ReportModel

    /// The maximum number of boards with a line of their own.
    private static let maximumBoardCount = 40

    func html() -> String {
        var lines: [(String, String)] = [
            ("Made by", "tabardctl \(model.origin.toolVersion)"),
            (
                "Evidence",
                "\(model.origin.evidence): a digest of all boards' signed statements and segments, clock samples and labels"
            ),
        ]
        lines += model.boards.prefix(Self.maximumBoardCount)
            .map { ("Board " + model.name(of: $0.identity), describe($0)) }
        let more = model.boards.count - Self.maximumBoardCount
        if more > 0 { lines.append(("More boards", "\(more); `tabardctl boards` lists them")) }
        lines.append(("Encounters", rules))
        lines.append(
            (
                "Selection",
                model.origin.filterDescription.isEmpty
                    ? "everything" : model.origin.filterDescription.joined(separator: "; ")
            ))
        lines.append(("Times", "\(model.time.zoneName); in CSV always UTC"))
        if model.options.people.hidesSmall {
            let smallest = model.options.people.smallest
            lines.append(("Small counts", "counts of people below \(smallest) are written as <\(smallest)"))
        }
        lines.append(
            (
                "Clock error",
                model.totals.clockError.map { "at most ±\(TimeText.error($0))" } ?? "unknown"
            ))
        let items = lines.map {
            "<dt>\(Markup.escaped($0.0))</dt><dd>\(Markup.escaped($0.1))</dd>"
        }
        return
            "<footer>\n<h2>Source of this "
            + "report</h2>\n<dl>\n\(items.joined(separator: "\n"))\n</dl>\n</footer>\n"
    }

    private func describe(_ board: ArchivedBoard) -> String {
        let contents = model.logs[board.identity]?.contents ?? BoardContents()
        var text = "log \(board.identity.hexadecimal); "
        text +=
            "\(Markup.count(contents.entryCount, "entry", "entries")) in \(Markup.count(contents.pageCount, "page")) "
        text += "of \(Markup.count(contents.segmentCount, "segment"))"
        text +=
            contents.damagedPageCount == 0
            ? ", none damaged" : ", \(Markup.count(contents.damagedPageCount, "damaged page")) left out"
        if contents.lockedPageCount > 0 {
            text +=
                ", \(Markup.count(contents.lockedPageCount, "page")) locked (no key at hand) and not included"
        }
        if let leftOut = LeftOutText.text(contents.leftOut) { text += ", \(leftOut) left out" }
        if let sync = board.lastSync {
            text +=
                "; last fetched \(model.time.dateTimeAndZone(sync))"
        }
        let versions = Set(periods(of: board).compactMap(\.parameters?.softwareVersion)).sorted()
        if !versions.isEmpty { text += "; software \(Self.few(versions))" }
        let positions = periods(of: board).compactMap(\.position?.text)
        if !positions.isEmpty {
            text += "; position \(Self.few(positions))"
        }
        let covered = model.record.filter { $0.board == board.identity }.flatMap(\.covered)
        let rejected = periods(of: board).reduce(0) { $0 + $1.rejectedAnchorCount }
        if rejected > 0 { text += "; \(Markup.count(rejected, "clock sample")) rejected" }
        text += "; entries dropped \(Markup.grouped(covered.reduce(0) { $0 + $1.droppedCount })), "
        text += "reports malformed \(Markup.grouped(covered.reduce(0) { $0 + $1.malformedCount }))"
        return text
    }

    /// At most three different texts.
    private static func few(_ texts: [String]) -> String {
        let all = Set(texts).sorted()
        return all.prefix(3).joined(separator: ", ") + (all.count > 3 ? " and \(all.count - 3) more" : "")
    }

    private var rules: String {
        let parameters = model.periods.compactMap(\.parameters)
        let gaps = Set(parameters.map(\.encounterTimeout)).sorted().map(TimeText.duration)
        let samples = Set(parameters.map(\.sampleLength)).sorted().map(TimeText.duration)
        var text = "one identity in range, with silences of up to "
        text +=
            gaps.isEmpty
            ? TimeText.duration(EncounterAssembly.defaultEncounterTimeout) : Self.few(gaps)
        if !samples.isEmpty { text += "; signal strength sampled over \(Self.few(samples))" }
        return text
    }

    private func periods(of board: ArchivedBoard) -> [BoardPeriod] {
        model.periods.filter { $0.board == board.identity }
    }
}
