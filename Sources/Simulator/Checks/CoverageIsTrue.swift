import EncounterLog

/// What the log says of when the agent was able to see, beside when it was.
///
/// Coverage entries of a boot never overlap and lie within it, so that coverage and blind intervals make up all of its
/// time. No entry covers more than 3.5 s in which the controller was not scanning or could deliver nothing, unless
/// nobody could know; and without a fault no more than 10 s of good reports, of senders who are heard again, are not
/// covered: between two entries, at the end of an agent that ends in order, and in three minutes of which an entry
/// should have told by now.
final class CoverageIsTrue: Check {
    private struct Blindness {
        let startMilliseconds: UInt64
        var endMilliseconds: UInt64
        /// A fault that does not show: only that nobody is heard tells of it.
        let isHidden: Bool
        /// How long it must last to be known by that; nil: it cannot be.
        var limitMilliseconds: UInt64?
        /// Here the room was taken for quiet.
        var takenForQuietMilliseconds: UInt64?
        /// What was heard may be told so much later.
        var lateMilliseconds: UInt64

        /// As far as the agent could know of it.
        var known: Range<UInt64>? {
            let (start, end) = (startMilliseconds, endMilliseconds)
            guard let limit = limitMilliseconds, end - start >= limit else { return nil }
            return start..<max(start, min(end, takenForQuietMilliseconds ?? end))
        }
    }

    /// A pause of scanning that belongs to the round of scanning and connecting, and how exactly times are compared.
    private static let toleranceMilliseconds: UInt64 = 3_500
    /// How late ``ControllerFault/lateEvents`` may be.
    private static let lateMilliseconds: UInt64 = 3_000
    /// A packet that has become longer by ``ControllerFault/corruptedStream`` keeps those behind it back until enough bytes
    /// have come: where all is silent, those of the answer to the next probe.
    private static let heldBackMilliseconds: UInt64 = 10_000
    /// Until silence is noticed, once it has lasted long enough.
    private static let noticeMilliseconds: UInt64 = 5_000
    /// After what is doubted for less, a room is never taken for quiet. Faults that follow one another are one doubt.
    private static let shortestDoubtMilliseconds: UInt64 = 290_000
    /// A doubt is over when for so long nothing was wrong.
    private static let soundMilliseconds: UInt64 = 16_000
    /// How long somebody must have been heard to be missed.
    private static let steadyMilliseconds: UInt64 = 30_000
    /// With longer pauses between two good reports, nobody was heard meanwhile.
    private static let hearingPauseMilliseconds: UInt64 = 5_000
    /// For how long somebody may be heard and no entry cover it.
    private static let longestUncoveredMilliseconds: UInt64 = 10_000
    /// How long a stretch is looked at, every now and then, of which the log should tell by now.
    private static let overdueMilliseconds: UInt64 = 180_000
    private static let overduePauseMilliseconds: UInt64 = 30_000
    /// What these do shows otherwise, and only when the agent has done something at the wrong time.
    private static let blindOnlyInEffect: [ControllerFault] = [
        .wedgeWhenConnecting, .rolesStoppedByConnection,
    ]
    private static let recovery = SimulatedDuration.seconds(90)

    private var boot: UInt64 = 0
    private var bootMilliseconds: UInt64 = 0
    private var lastEndMilliseconds: UInt64 = 0
    private var blindness: [Blindness] = []
    private var isBlind = true
    private var lastStepMilliseconds: UInt64 = 0
    private var nextOverdueMilliseconds: UInt64 = 0
    /// When the agent doubted its radio; not for how long it was right to, but that it did not begin just now.
    private var doubts: [(start: UInt64, end: UInt64)] = []
    private var company = HeardCompany()
    /// When good reports came from senders who were heard before.
    private var hearing: [(start: UInt64, end: UInt64)] = []

    override func agentStarted() {
        boot = board.bootIdentifier
        bootMilliseconds = board.clock.monotonicMilliseconds
        lastEndMilliseconds = bootMilliseconds
        lastStepMilliseconds = bootMilliseconds
        blindness = []
        isBlind = false
        doubts = []
        company = HeardCompany()
        hearing = []
        nextOverdueMilliseconds = 0
    }

    /// Nothing more will be told of what was heard until now; unless the agent was killed, or its power cut, it should be.
    override func agentEnded() {
        guard board.ending != nil else { return }
        checkUncovered(from: lastEndMilliseconds, to: lastStepMilliseconds)
    }

    override func heard(_ report: HeardReport) {
        guard report.isGood else { return }
        let now = report.milliseconds
        // A device that takes a new address for each advert is, alone, not to be told from a filter for duplicates; unless it
        // says its pseudo address, by which it is one.
        guard company.note(report.peer, atMilliseconds: now) else { return }
        Self.note(now, in: &hearing, pauseMilliseconds: Self.hearingPauseMilliseconds)
    }

    override func stepped(_ step: StepFacts) {
        noteDoubt(atMilliseconds: step.milliseconds)
        let controller = board.controller
        let isBlindNow =
            controller.truth.scanningSince == nil || !controller.isPresent || controller.isWedged
            || controller.faults.all.contains { $0.blinds && !Self.blindOnlyInEffect.contains($0) }
        if isBlindNow {
            noteBlindness(atMilliseconds: step.milliseconds)
        } else if isBlind, let last = blindness.indices.last {
            blindness[last].endMilliseconds = lastStepMilliseconds
        }
        isBlind = isBlindNow
        lastStepMilliseconds = step.milliseconds
        if lastStepMilliseconds >= nextOverdueMilliseconds {
            nextOverdueMilliseconds = lastStepMilliseconds + Self.overduePauseMilliseconds
            checkOverdue()
        }
    }

    /// That the log tells of what was heard a while ago, its telling being overdue.
    private func checkOverdue() {
        let limit = overseer.coverageLimitMilliseconds
        guard lastStepMilliseconds > limit + Self.overdueMilliseconds else { return }
        let end = lastStepMilliseconds - limit
        checkUncovered(from: max(lastEndMilliseconds, end - Self.overdueMilliseconds), to: end)
    }

    /// That not much was heard here, where no entry tells of it.
    private func checkUncovered(from start: UInt64, to end: UInt64) {
        guard start < end, heardMilliseconds(from: start, to: end) > Self.longestUncoveredMilliseconds,
            isWithoutReason(from: start, to: end)
        else { return }
        broken("blind from \(start) to \(end) ms without a fault")
    }

    private func noteDoubt(atMilliseconds now: UInt64) {
        guard board.radioStatus?.state == .recovering else { return }
        Self.note(now, in: &doubts, pauseMilliseconds: Self.soundMilliseconds)
    }

    /// The last of the stretches goes on, or after a longer pause another begins.
    private static func note(
        _ now: UInt64, in stretches: inout [(start: UInt64, end: UInt64)], pauseMilliseconds: UInt64
    ) {
        if let last = stretches.last, now <= last.end + pauseMilliseconds {
            stretches[stretches.count - 1].end = now
        } else {
            stretches.append((now, now))
        }
    }

    private func noteBlindness(atMilliseconds now: UInt64) {
        let faults = board.controller.faults
        // The controller tells of an error of its hardware, unless that is lost on the way.
        let isHidden =
            faults.has(.corruptedStream) || faults.all.contains { $0.blinds && $0 != .hardwareError }
        let late =
            faults.has(.corruptedStream)
            ? Self.heldBackMilliseconds : faults.has(.lateEvents) ? Self.lateMilliseconds : 0
        if isBlind, let last = blindness.indices.last {
            blindness[last].endMilliseconds = now
            if blindness[last].isHidden == isHidden {
                blindness[last].lateMilliseconds = max(blindness[last].lateMilliseconds, late)
                return
            }
        }
        let limit = company.silenceLimitMilliseconds(atMilliseconds: now).map { $0 + Self.noticeMilliseconds }
        blindness.append(
            Blindness(
                startMilliseconds: blindSince(now), endMilliseconds: now, isHidden: isHidden,
                limitMilliseconds: isHidden ? limit : 0,
                lateMilliseconds: late))
        if blindness.count > 4_000 { blindness.removeFirst(2_000) }
    }

    /// It is looked at each step, and in an empty room these are a second apart. When scanning has ended is known exactly.
    private func blindSince(_ now: UInt64) -> UInt64 {
        let controller = board.controller
        guard !controller.faults.isBlind, controller.isPresent, !controller.isWedged,
            let ended = controller.truth.scanningEnded
        else { return lastStepMilliseconds }
        return max(lastStepMilliseconds, now - min(now, (overseer.world.now - ended).milliseconds))
    }

    override func committed(_ page: CommittedPage) {
        guard page.bootIdentifier == boot else { return }
        for entry in page.entries {
            switch entry {
            case .coverage(let body): check(body)
            case .radio(let body) where body.event == .takenForQuiet:
                noteTakenForQuiet(atMilliseconds: body.monotonicMilliseconds)
            default: break
            }
        }
    }

    /// The board is blind, and the agent must know.
    var mustKnowItIsBlind: Bool {
        guard isBlind, let last = blindness.last, let known = last.known else { return false }
        return known.upperBound == last.endMilliseconds
    }

    private func check(_ entry: CoverageEntry) {
        let (start, end) = (entry.startMilliseconds, entry.endMilliseconds)
        guard start <= end, start >= lastEndMilliseconds, start >= bootMilliseconds else {
            return broken("coverage \(start)–\(end) ms after \(lastEndMilliseconds) ms")
        }
        checkUncovered(from: lastEndMilliseconds, to: start)
        for blind in blindness where blind.startMilliseconds < end && blind.endMilliseconds > start {
            guard let known = blind.known, known.lowerBound < end, known.upperBound > start else { continue }
            let length = min(end, known.upperBound) - max(start, known.lowerBound)
            if length > Self.toleranceMilliseconds + blind.lateMilliseconds {
                broken(
                    "coverage \(start)–\(end) ms, blind \(blind.startMilliseconds)–\(blind.endMilliseconds) ms"
                )
            }
        }
        lastEndMilliseconds = max(lastEndMilliseconds, end)
    }

    /// The agent has tried all it can for as long as it should, and says so. From there on it cannot know, nor does it
    /// expect anybody before they have been heard steadily once more.
    private func noteTakenForQuiet(atMilliseconds time: UInt64) {
        for index in blindness.indices
        where blindness[index].isHidden && time <= blindness[index].startMilliseconds
            && blindness[index].startMilliseconds < time + Self.steadyMilliseconds
        {
            blindness[index].limitMilliseconds = nil
        }
        let doubt = doubts.last { $0.start <= time }
        guard let doubt, doubt.start + Self.shortestDoubtMilliseconds <= time else { return }
        for index in blindness.indices
        where blindness[index].startMilliseconds <= time && time < blindness[index].endMilliseconds {
            blindness[index].takenForQuietMilliseconds = blindness[index].takenForQuietMilliseconds ?? time
        }
    }

    /// Where nobody is heard, the agent may doubt its radio: only reports tell that it had no reason to.
    private func heardMilliseconds(from start: UInt64, to end: UInt64) -> UInt64 {
        hearing.reduce(0) {
            $0 + ($1.end > start && $1.start < end ? min(end, $1.end) - max(start, $1.start) : 0)
        }
    }

    private func isWithoutReason(from start: UInt64, to end: UInt64) -> Bool {
        let early = board.clock.time(ofMonotonicMilliseconds: start) - Self.recovery
        let hadRadioFault = diary.had(
            \.isOfRadio, from: early, to: board.clock.time(ofMonotonicMilliseconds: end))
        // The entry that told of it may have been lost later.
        return !hadRadioFault && !diary.had(\.isOfFlash, from: early, to: overseer.world.now)
    }
}
