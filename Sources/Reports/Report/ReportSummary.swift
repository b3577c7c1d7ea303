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

    var identityCount: Int { Self.identityCount(model.encounters) }

    /// Plain text, the most important facts first.
    var sentence: String {
        // Describes the encounters on the wall clock, if there are any, and only counts the others.
        let dated = model.encounters.filter(\.isOnWallClock)
        let subject = dated.isEmpty ? model.encounters : dated
        guard let longest = subject.max(by: { $0.duration < $1.duration }) else {
            return nothing
        }
        let unidentified = subject.count { $0.identity == nil }
        var text = when + who(subject) + " near " + boards + "."
        text +=
            " The longest encounter lasted \(TimeText.duration(longest.duration)): \(longest.label)."
        if Self.identityCount(subject) > 0, unidentified > 0 {
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
        return text
    }

    private static func identityCount(_ encounters: [Encounter]) -> Int {
        Set(encounters.compactMap(\.identity)).count
    }

    var figures: [Figure] {
        var figures = [
            Figure(
                value: Markup.grouped(identityCount), label: identityCount == 1 ? "identity" : "identities"),
            Figure(
                value: Markup.grouped(model.encounters.count),
                label: model.encounters.count == 1 ? "encounter" : "encounters"),
            Figure(
                value: TimeText.duration(model.encounters.reduce(.zero) { $0 + $1.duration }),
                label: "total time near"),
        ]
        if let worst = leastCovered, let share = worst.coveredShare {
            figures.append(
                Figure(
                    value: CoverageText.percent(share),
                    label: "of \(TimeText.duration(worst.total)) covered"))
            figures.append(
                Figure(
                    value: longestBlind.map(CoverageText.duration) ?? "none", label: "longest blind"))
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
    private var coverage: [CoverageSummary] {
        let dated = model.coverage.filter(\.isOnWallClock)
        return (dated.isEmpty ? model.coverage : dated).map(CoverageSummary.init)
    }

    /// The coverage of the board that listened least.
    private var leastCovered: CoverageSummary? {
        coverage.filter { $0.coveredShare != nil }.min { ($0.coveredShare ?? 0) < ($1.coveredShare ?? 0) }
    }

    /// The longest blind time of all boards.
    private var longestBlind: Interval? { coverage.compactMap(\.longestBlind?.duration).max() }

    private var coverageSentence: String {
        guard let worst = leastCovered, let share = worst.coveredShare else { return "" }
        let who = model.boards.count == 1 ? "The board listened" : "Each board listened at least"
        let blind =
            longestBlind.map { "; its longest blind time was \(CoverageText.duration($0))" } ?? ""
        return " \(who) \(CoverageText.percent(share)) of "
            + "\(TimeText.duration(worst.total))\(blind)."
    }

    private var nothing: String {
        let hasListened = model.coverage.contains { !$0.covered.isEmpty }
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
        let count = Self.identityCount(encounters)
        guard count == 0 else {
            return Markup.count(count, "identity", "identities") + (count == 1 ? " was" : " were")
        }
        return encounters.count == 1
            ? "1 unidentified device was"
            : "unidentified devices were"
    }

    private var boards: String {
        let names = model.boards.map(\.label)
        switch names.count {
        case 0: return "any board"
        case 1...3: return names.joined(separator: names.count == 2 ? " and " : ", ")
        default: return "\(names.count) boards"
        }
    }
}
