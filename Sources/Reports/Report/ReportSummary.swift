import Archive
import FixedMemory

/// The report summarised in a sentence and a few figures.
struct ReportSummary {
    struct Figure {
        let value: String
        let label: String
    }

    let model: ReportModel
    let scopes: [FigureScope]

    /// Plain text, the most important facts first.
    var sentence: String {
        // Describes the encounters on the wall clock, if there are any, and only counts the others.
        let dated = model.encounters.filter(\.isOnWallClock)
        let subject = dated.isEmpty ? model.encounters : dated
        guard let longest = subject.max(by: { $0.duration < $1.duration }) else {
            return nothing + lockedPages
        }
        let unidentified = subject.count { $0.identity == nil }
        var text = when + who(subject) + " near " + boards + "."
        text +=
            " The longest encounter lasted \(TimeText.duration(longest.duration)): "
            + "\(model.whoAndWhere(longest))."
        if unidentified < subject.count, unidentified > 0 {
            text +=
                " " + Markup.count(unidentified, "more encounter")
                + " \(unidentified == 1 ? "was" : "were") with an unidentified device."
        }
        text += coverageSentence
        let undated = model.encounters.count - dated.count
        if !dated.isEmpty, undated > 0 {
            text +=
                " " + Markup.count(undated, "encounter")
                + " happened while the board had no clock."
        }
        return text + lockedPages
    }

    var figures: [Figure] {
        let near = NearPeers(model.encounters, model.ownBoards)
        var figures = [
            Figure(
                value: Markup.grouped(near.identityCount),
                label: near.identityCount == 1 ? "identity" : "identities"),
            Figure(
                value: Markup.grouped(model.encounters.count),
                label: model.encounters.count == 1 ? "encounter" : "encounters"),
            Figure(
                value: TimeText.duration(NearTime.total(model.encounters)),
                label: "total time near"),
        ]
        if !near.ownBoards.isEmpty {
            let label = near.ownBoards.count == 1 ? "board of this archive" : "boards of this archive"
            figures.insert(Figure(value: Markup.grouped(near.ownBoards.count), label: label), at: 1)
        }
        if let worst = leastCovered, let share = worst.coveredShare {
            figures.append(
                Figure(
                    value: CoverageText.percent(share),
                    label: late.isEmpty
                        ? "of \(TimeText.duration(worst.total)) covered"
                        : "covered, of \(TimeText.duration(worst.total)) fetched"))
            figures.append(
                Figure(
                    value: longestBlind.map(CoverageText.duration) ?? "none", label: "longest blind"))
        }
        if let longest = late.map(\.rest).max() {
            figures.append(Figure(value: TimeText.duration(longest), label: "not fetched yet"))
        }
        if model.encounters.contains(where: \.isOnWallClock) {
            figures.append(
                Figure(value: clockError.map { "± " + TimeText.error($0) } ?? "unknown", label: "clock error")
            )
        }
        return figures
    }

    /// The worst error of all encounters on the wall clock; nil if one of them is unknown, or if there are
    /// none.
    var clockError: Interval? {
        let errors = model.encounters.filter(\.isOnWallClock).map(\.clockError)
        return errors.contains(nil) ? nil : errors.compactMap(\.self).max()
    }

    /// The coverage on the wall clock if there is any; boots without a clock belong to no requested time.
    private var timelines: [CoverageTimeline] {
        let dated = model.coverage.filter(\.isOnWallClock)
        return dated.isEmpty ? model.coverage : dated
    }

    /// Percentages are of the fetched time, because the board may have listened in the rest.
    private var coverage: [CoverageSummary] { timelines.map { CoverageSummary($0.fetched) } }

    /// Boards that are always fetched one after the other differ by some seconds.
    private static let shortestRest = Interval.seconds(10)

    /// The boards of which the end of the time is not fetched yet.
    private var late: [(board: String, rest: Interval)] {
        timelines.filter { $0.notFetched >= Self.shortestRest }
            .map { (model.name(of: $0.board), $0.notFetched) }
    }

    /// The coverage of the board that listened least.
    private var leastCovered: CoverageSummary? {
        coverage.filter { $0.coveredShare != nil }.min { ($0.coveredShare ?? 0) < ($1.coveredShare ?? 0) }
    }

    /// The longest blind time of all boards.
    private var longestBlind: Interval? { coverage.compactMap(\.longestBlind?.duration).max() }

    private var coverageSentence: String {
        guard let worst = leastCovered, let share = worst.coveredShare else { return lateSentence }
        let who = model.boards.count == 1 ? "The board listened" : "Each board listened at least"
        let blind =
            longestBlind.map { "; its longest blind time was \(CoverageText.duration($0))" } ?? ""
        let total = TimeText.duration(worst.total)
        let time = late.isEmpty ? total : model.hasSeveralBoards ? "the time fetched" : "the \(total) fetched"
        return " \(who) \(CoverageText.percent(share)) of \(time)\(blind)." + lateSentence
    }

    private var lateSentence: String {
        guard let longest = late.map(\.rest).max() else { return "" }
        guard model.hasSeveralBoards else {
            return " The last \(TimeText.duration(longest)) are not fetched yet."
        }
        let parts = late.map { "\(TimeText.duration($0.rest)) of \($0.board)" }
        return parts.count > 3
            ? " Up to \(TimeText.duration(longest)) of \(parts.count) boards are not fetched yet."
            : " The last \(Self.list(parts)) are not fetched yet."
    }

    private var lockedPages: String {
        let count = model.boards.reduce(0) { $0 + $1.lockedPageCount }
        guard count > 0 else { return "" }
        return " \(Markup.count(count, "page")) \(count == 1 ? "is" : "are") locked and not included."
    }

    private var nothing: String {
        let hasListened = model.coverage.contains { !$0.covered.isEmpty }
        guard model.recordedEncounterCount == 0 || model.filterDescription.isEmpty else {
            let text = OptionsLeaveNothing.text(
                count: model.recordedEncounterCount, options: model.filterDescription)
            return text.prefix(1).uppercased() + text.dropFirst() + "."
                + (hasListened
                    ? coverageSentence
                    : " The archive has no time in which a board listened that matches them.")
        }
        return hasListened
            ? "No encounter near \(boards) matches these criteria." + coverageSentence
            : "The archive has no encounter near \(boards) and no time in which a board listened."
    }

    private var when: String {
        guard let range = scopes.first?.wallClockRange else { return "At unknown times, " }
        let time = model.time
        let start = range.lowerBound
        let end = range.upperBound
        let zone = time.zoneName
        if time.startOfDay(start) == time.startOfDay(end) {
            return
                "On \(time.longDate(start)) between \(time.hourAndMinute(start))\(time.otherOffset(start)) and "
                + "\(time.hourAndMinute(end))\(time.otherOffset(end)) \(zone), "
        }
        return
            "Between \(time.longDate(start)), \(time.hourAndMinute(start))\(time.otherOffset(start)), and \(time.longDate(end)), "
            + "\(time.hourAndMinute(end))\(time.otherOffset(end)) \(zone), "
    }

    private func who(_ encounters: [Encounter]) -> String {
        let near = NearPeers(encounters, model.ownBoards)
        var parts: [String] = []
        if near.identityCount > 0 { parts.append(Markup.count(near.identityCount, "identity", "identities")) }
        if !near.ownBoards.isEmpty {
            let names = near.ownBoards.count > 6 ? "" : " (\(near.ownBoards.joined(separator: ", ")))"
            parts.append(
                Markup.count(near.ownBoards.count, "board of this archive", "boards of this archive") + names)
        }
        guard parts.isEmpty else {
            return Self.list(parts) + (near.identityCount + near.ownBoards.count == 1 ? " was" : " were")
        }
        return encounters.count == 1
            ? "1 unidentified device was"
            : "unidentified devices were"
    }

    private var boards: String {
        let names = model.boards.map(\.label)
        switch names.count {
        case 0: return "any board"
        case 1...3: return Self.list(names)
        default: return "\(names.count) boards"
        }
    }

    private static func list(_ items: [String]) -> String {
        items.joined(separator: items.count == 2 ? " and " : ", ")
    }
}
