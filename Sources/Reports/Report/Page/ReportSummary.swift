import Archive
import FixedMemory

/// The report summarised in a sentence and a few figures.
struct ReportSummary {
    struct Figure {
        let value: String
        let label: String
    }

    let model: ReportModel

    private var totals: EncounterTotals { model.totals }
    private var people: PeopleCount { model.options.people }

    /// Plain text, the most important facts first.
    var sentence: String {
        // Describes the encounters on the wall clock, if there are any, and only counts the others.
        let subject = totals.subject
        guard let longest = subject.longest.longest else { return nothing + lockedPages }
        var text = when + who(subject) + " near " + boards + "." + busiest
        text += " The longest encounter lasted \(TimeText.duration(longest.duration))"
        text += model.options.showsSinglePeople ? ": \(model.whoAndWhere(longest))." : "."
        let unidentified = subject.unidentifiedCount
        if unidentified < subject.count, unidentified > 0 {
            text +=
                " " + Markup.count(unidentified, "more encounter")
                + " \(unidentified == 1 ? "was" : "were") with an unidentified device."
        }
        text += coverageSentence
        if totals.dated.count > 0, totals.undatedCount > 0 {
            text +=
                " " + Markup.count(totals.undatedCount, "encounter")
                + " happened while the board had no clock."
        }
        return text + lockedPages
    }

    var figures: [Figure] {
        let identities = totals.all.peers.count
        var figures = [
            Figure(
                value: identityCount(totals.all.peers), label: isOne(identities) ? "identity" : "identities"),
            Figure(
                value: Markup.grouped(totals.count), label: totals.count == 1 ? "encounter" : "encounters"),
            Figure(value: TimeText.duration(totals.nearTime), label: "total time near"),
        ]
        let boards = totals.all.ownBoards.count
        if boards > 0 {
            let label = isOne(boards) ? "board of this archive" : "boards of this archive"
            figures.insert(Figure(value: people.text(boards), label: label), at: 1)
        }
        if let peak = model.occupancy?.highest {
            figures.append(Figure(value: people.text(peak.count), label: "most at one moment"))
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
        if totals.dated.count > 0 {
            figures.append(
                Figure(
                    value: totals.clockError.map { "± " + TimeText.error($0) } ?? "unknown",
                    label: "clock error"))
        }
        return figures
    }

    /// A hidden count does not even say that it is one.
    private func isOne(_ count: Int) -> Bool { count == 1 && !people.hidesSmall }

    private func identityCount(_ peers: PeerTally) -> String {
        (peers.isExact ? "" : "about ") + people.text(peers.count)
    }

    /// The most peers at one moment, and where and when that was.
    private var busiest: String {
        guard let occupancy = model.occupancy, let peak = occupancy.highest, peak.count > 1 else { return "" }
        let place = model.hasSeveralBoards ? " \(model.name(of: peak.board))" : ""
        let moment =
            occupancy.isOneStep
            ? "" : ", on \(model.time.longDate(peak.start)) after \(model.time.hourAndMinute(peak.start))"
        return " At the busiest moment \(people.text(peak.count)) were near\(place)\(moment)."
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
        let count = model.logs.values.reduce(0) { $0 + $1.contents.lockedPageCount }
        guard count > 0 else { return "" }
        return " \(Markup.count(count, "page")) \(count == 1 ? "is" : "are") locked and not included."
    }

    private var nothing: String {
        let hasListened = model.coverage.contains { !$0.covered.isEmpty }
        guard model.origin.recordedEncounterCount == 0 || model.origin.filterDescription.isEmpty else {
            let text = OptionsLeaveNothing.text(
                count: model.origin.recordedEncounterCount, options: model.origin.filterDescription)
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
        guard let range = totals.range else { return "At unknown times, " }
        let time = model.time
        let start = WallClockTime(clamping: range.lowerBound.milliseconds)
        let end = WallClockTime(clamping: range.upperBound.milliseconds)
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

    private func who(_ part: EncounterTotals.Part) -> String {
        var parts: [String] = []
        let count = part.peers.count
        if count > 0 {
            parts.append(identityCount(part.peers) + (isOne(count) ? " identity" : " identities"))
        }
        let boards = part.ownBoards.count
        if boards > 0 {
            let names = boards > 6 || people.hidesSmall ? "" : " (\(ownNames(part)))"
            parts.append(
                people.text(boards, "board of this archive", "boards of this archive") + names)
        }
        guard parts.isEmpty else { return Self.list(parts) + (isOne(count + boards) ? " was" : " were") }
        return part.count == 1 ? "1 unidentified device was" : "unidentified devices were"
    }

    private func ownNames(_ part: EncounterTotals.Part) -> String {
        model.ownBoards.labels(at: part.ownBoards).map { Markup.shortened($0, to: 60) }
            .joined(separator: ", ")
    }

    private var boards: String {
        let names = model.boards.map { model.name(of: $0.identity) }
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
