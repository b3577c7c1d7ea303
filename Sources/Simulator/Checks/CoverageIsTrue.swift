import EncounterLog

/// What the log says of when the agent was able to see, beside when it was.
final class CoverageIsTrue: Check {
    override class var statement: String {
        """
        Coverage entries of a boot never overlap and lie within it, so that coverage and blind intervals make up all of \
        its time. No entry covers more than 3.5 s in which the controller was not scanning or could deliver nothing, \
        unless the room was so quiet that nobody could know; and without a fault no more than 10 s of good reports are \
        not covered.
        """
    }

    private struct Blindness {
        let start: UInt64
        var end: UInt64
        /// Whether the agent could know: somebody had been heard steadily.
        let isKnowable: Bool
    }

    /// A pause of scanning that belongs to the round of scanning and connecting, and how exactly times are compared.
    private static let toleranceMilliseconds: UInt64 = 3_500
    private static let longestBlindMilliseconds: UInt64 = 10_000
    /// What these do shows otherwise, and only when the agent has done something at the wrong time.
    private static let blindOnlyInEffect: [ControllerFault] = [
        .wedgeWhenConnecting, .rolesStoppedByConnection,
    ]
    private static let recovery = SimulatedDuration.seconds(90)
    /// Reports in half a minute that are many enough to be missed.
    private static let steadyReports = 60

    private var boot: UInt64 = 0
    private var bootMilliseconds: UInt64 = 0
    private var lastEnd: UInt64 = 0
    private var blindness: [Blindness] = []
    private var isBlind = true
    private var lastStep: UInt64 = 0
    /// Times of the last good reports, as many as must be there in half a minute.
    private var recent: [UInt64] = []
    private var nextRecent = 0
    /// When good reports came, with pauses of at most 5 s.
    private var hearing: [(start: UInt64, end: UInt64)] = []

    override func agentStarted() {
        boot = board.bootIdentifier
        bootMilliseconds = board.clock.monotonicMilliseconds
        lastEnd = bootMilliseconds
        lastStep = bootMilliseconds
        blindness = []
        isBlind = false
        recent = []
        nextRecent = 0
        hearing = []
    }

    override func heard(_ report: HeardReport) {
        guard report.isGood else { return }
        let now = report.milliseconds
        if let last = hearing.last, now <= last.end + 5_000 {
            hearing[hearing.count - 1].end = now
        } else {
            hearing.append((now, now))
        }
        if recent.count < Self.steadyReports {
            recent.append(report.milliseconds)
        } else {
            recent[nextRecent] = report.milliseconds
            nextRecent = (nextRecent + 1) % Self.steadyReports
        }
    }

    override func stepped(_ step: StepFacts) {
        let controller = board.controller
        let isBlindNow =
            controller.truth.scanningSince == nil || !controller.isPresent || controller.isWedged
            || controller.faults.all.contains { $0.blinds && !Self.blindOnlyInEffect.contains($0) }
        if isBlindNow, isBlind, let last = blindness.indices.last {
            blindness[last].end = step.milliseconds
        } else if isBlindNow {
            let isSteady =
                recent.count == Self.steadyReports
                && recent[nextRecent] + 30_000 > step.milliseconds
            blindness.append(
                Blindness(
                    start: lastStep, end: step.milliseconds, isKnowable: isSteady || !controller.faults.isAny)
            )
            if blindness.count > 4_000 { blindness.removeFirst(2_000) }
        } else if isBlind, let last = blindness.indices.last {
            blindness[last].end = lastStep
        }
        isBlind = isBlindNow
        lastStep = step.milliseconds
    }

    override func committed(_ page: CommittedPage) {
        guard page.header.bootIdentifier == boot else { return }
        for entry in page.entries {
            if case .coverage(let body) = entry { check(body) }
        }
    }

    private func check(_ entry: CoverageEntry) {
        let (start, end) = (entry.startMilliseconds, entry.endMilliseconds)
        guard start <= end, start >= lastEnd, start >= bootMilliseconds else {
            return broken("coverage \(start)–\(end) ms after \(lastEnd) ms")
        }
        if heardMilliseconds(from: lastEnd, to: start) > Self.longestBlindMilliseconds,
            isWithoutReason(from: lastEnd, to: start)
        {
            broken("blind from \(lastEnd) to \(start) ms without a fault")
        }
        for blind in blindness where blind.isKnowable && blind.start < end && blind.end > start {
            let length = min(end, blind.end) - max(start, blind.start)
            if length > Self.toleranceMilliseconds {
                broken("coverage \(start)–\(end) ms, blind \(blind.start)–\(blind.end) ms")
            }
        }
        lastEnd = max(lastEnd, end)
    }

    /// Where nobody is heard, the agent may doubt its radio: only reports tell that it had no reason to.
    private func heardMilliseconds(from start: UInt64, to end: UInt64) -> UInt64 {
        hearing.reduce(0) {
            $0 + ($1.end > start && $1.start < end ? min(end, $1.end) - max(start, $1.start) : 0)
        }
    }

    private func isWithoutReason(from start: UInt64, to end: UInt64) -> Bool {
        let began = board.clock.time(ofMonotonicMilliseconds: start)
        let early = SimulatedTime(
            microseconds: began.microseconds - min(began.microseconds, Self.recovery.microseconds))
        return !diary.had(
            { $0.isOfRadio || $0.isOfFlash }, from: early,
            to: board.clock.time(ofMonotonicMilliseconds: end))
    }
}
