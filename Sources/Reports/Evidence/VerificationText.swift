import Archive
import EncounterLog
import FixedMemory

/// The result of verifying a log as lines for people.
public struct VerificationText {
    private let result: LogVerification
    private let label: String
    private let moments: MomentText
    private let history: BoardHistory
    private let time: TimeText

    public init(_ result: LogVerification, label: String, history: BoardHistory, time: TimeText) {
        self.result = result
        self.label = label
        self.history = history
        self.time = time
        moments = MomentText(history, time)
    }

    /// The summary, one line per finding, then coverage and clocks.
    public var lines: [String] {
        [summary] + complete + result.findings.map { "  \(Self.word($0.severity)): \(line($0))" } + coverage
            + clocks
    }

    private var complete: [String] {
        guard let moment = result.completeThrough else { return [] }
        guard let time = result.completeTime(in: history) else {
            return [
                "  complete to \(TimeText.duration(moment.instant - .start)) after the start of boot "
                    + "\(TimeText.boot(moment.boot).prefix(6))"
            ]
        }
        return ["  complete to \(self.time.dateTimeAndZone(time))"]
    }

    public var summary: String {
        var parts = [
            "\(Self.count(result.segmentCount, "segment")), \(Self.count(result.pageCount, "page")), "
                + Self.count(result.entryCount, "entry", "entries")
        ]
        if result.chainedPageCount > 0 { parts.append("\(result.chainedPageCount) in the chain") }
        if result.openedPageCount > 0 { parts.append("\(result.openedPageCount) opened") }
        if result.redactedPageCount > 0 { parts.append("\(result.redactedPageCount) redacted") }
        if result.signatureCount > 0 {
            var text = Self.count(result.signatureCount, "signature")
            if let through = result.signedThrough { text += " up to \(LogFinding.text(through))" }
            parts.append(text)
        }
        return "\(label): \(Self.verdict(result)): " + parts.joined(separator: "; ")
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// "sound", "gaps", "incomplete", "unproven", "damaged" or "forged".
    public static func verdict(_ result: LogVerification) -> String {
        if result.isUnfinished { return "incomplete" }
        return switch result.severity {
        case .note: "sound"
        case .gap: "gaps"
        case .unproven: "unproven"
        case .damage: "damaged"
        case .forgery: "forged"
        }
    }

    static func word(_ severity: LogFinding.Severity) -> String {
        switch severity {
        case .note: "note"
        case .gap: "gap"
        case .unproven: "unproven"
        case .damage: "damage"
        case .forgery: "forgery"
        }
    }

    private func line(_ finding: LogFinding) -> String {
        var text = finding.position.map { LogFinding.text($0) + ": " } ?? ""
        text += finding.text
        if let count = finding.lostEntryCount {
            text += "; \(finding.isAtLeast ? "at least " : "")\(Self.count(count, "entry", "entries")) lost"
        }
        if finding.severity > .note, let span = moments.span(finding.before, finding.after) {
            text += "; \(span)"
        }
        return text
    }

    // MARK: Coverage and clocks

    private var coverage: [String] {
        CoverageAssembly.timelines(of: history).map { timeline in
            "  coverage\(Self.start(timeline)): \(CoverageText.share(CoverageSummary(timeline)))"
        }
    }

    private static func start(_ timeline: CoverageTimeline) -> String {
        guard case .sinceStart(let boot) = timeline.timeline else { return "" }
        return " of boot \(TimeText.boot(boot).prefix(6)), without a clock"
    }

    private var clocks: [String] {
        zip(history.boots, history.placements()).compactMap { boot, placement in
            guard let range = boot.knownMoments else { return nil }
            let timeline = placement.timeline(of: [range.lowerBound, range.upperBound])
            var error: Interval?
            if case .wallClock(let worst) = timeline { error = worst }
            let within = time.error(
                of: timeline, error, notBefore: placement.notBefore(range.lowerBound),
                notAfter: placement.notAfter(range.upperBound))
            return
                "  clock of boot \(TimeText.boot(boot.identifier).prefix(6)): "
                + "\(placement.basis.rawValue), \(within), "
                + "\(Self.count(placement.usedAnchorCount, "clock sample")) used, "
                + "\(placement.rejectedAnchorCount) rejected"
        }
    }
}

extension LogVerification {
    /// The wall time up to which the log is complete; nil if the board signed no end of it, or the time of
    /// that is unknown.
    public func completeTime(in history: BoardHistory) -> WallClockTime? {
        guard let moment = completeThrough else { return nil }
        let index = history.boots.firstIndex { $0.identifier == moment.boot }
        return index.flatMap { history.placements()[$0].wallClock(at: moment.instant) }
    }
}
