import EncounterLog

/// Compares the coverage in the log with the times when the agent was really able to receive.
///
/// Coverage entries of a boot never overlap and lie within it, so coverage and blind intervals together
/// fill the boot. No entry covers more than 3.5 s in which the controller did not scan or could deliver
/// nothing, unless the agent could not know that. Without a fault, at most 10 s of good reports, from
/// senders heard repeatedly, lie outside coverage. That holds between two entries, and at the end of an
/// agent that ends in order. It also holds for each three minutes whose coverage should be in the log by
/// now.
final class CoverageIsTrue: Check {
    private struct Blindness {
        let startMilliseconds: UInt64
        var endMilliseconds: UInt64
        /// Whether only the missing reports reveal the blindness, not the controller's answers.
        let isHidden: Bool
        /// How long the blindness must last before silence reveals it; nil if silence cannot.
        var limitMilliseconds: UInt64?
        /// When the agent assumed an empty room during this blindness.
        var assumedEmptyMilliseconds: UInt64?
        /// The longest delay of reports that were received before the blindness.
        var lateMilliseconds: UInt64

        /// The part of the blindness that the agent could know of; nil if there is none.
        var known: Range<UInt64>? {
            let (start, end) = (startMilliseconds, endMilliseconds)
            guard let limit = limitMilliseconds, end - start >= limit else { return nil }
            return start..<max(start, min(end, assumedEmptyMilliseconds ?? end))
        }
    }

    /// Allows for a scan pause in the usual alternation of scanning and connecting, and for the precision
    /// of the comparison.
    private static let toleranceMilliseconds: UInt64 = 3_500
    /// The longest delay by ``ControllerFault/lateEvents``.
    private static let lateMilliseconds: UInt64 = 3_000
    /// The longest delay by ``ControllerFault/corruptedStream``. A packet with a damaged length can seem
    /// longer than it is, and holds back the packets behind it until enough bytes have arrived. In a silent
    /// room, the answer to the next probe brings those bytes.
    private static let heldBackMilliseconds: UInt64 = 10_000
    /// The time to notice silence that has lasted long enough.
    private static let noticeMilliseconds: UInt64 = 5_000
    /// The shortest suspicion after which the agent may assume an empty room. Consecutive faults make one
    /// suspicion.
    private static let shortestDoubtMilliseconds: UInt64 = 290_000
    /// A suspicion ends after nothing was wrong for this long.
    private static let soundMilliseconds: UInt64 = 16_000
    /// How long the agent must hear a device before it can miss it.
    private static let steadyMilliseconds: UInt64 = 30_000
    /// The longest pause between two good reports of one hearing interval.
    private static let hearingPauseMilliseconds: UInt64 = 5_000
    /// How long good reports may arrive without a coverage entry.
    private static let longestUncoveredMilliseconds: UInt64 = 10_000
    /// The length of the time range that is checked regularly, and whose coverage should be in the log by
    /// now.
    private static let overdueMilliseconds: UInt64 = 180_000
    private static let overduePauseMilliseconds: UInt64 = 30_000
    /// These faults blind the board only if the agent does something at the wrong time. The controller's
    /// scan state then shows it.
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
    /// When the agent suspected its radio. The check only needs to know that a suspicion did not begin just
    /// now; whether it was right does not matter.
    private var doubts: [(start: UInt64, end: UInt64)] = []
    private var heardPeers = HeardPeers()
    /// When good reports came from senders that had been heard before.
    private var hearing: [(start: UInt64, end: UInt64)] = []

    override func agentStarted() {
        boot = board.bootIdentifier
        bootMilliseconds = board.clock.monotonicMilliseconds
        lastEndMilliseconds = bootMilliseconds
        lastStepMilliseconds = bootMilliseconds
        blindness = []
        isBlind = false
        doubts = []
        heardPeers = HeardPeers()
        hearing = []
        nextOverdueMilliseconds = 0
    }

    /// Checks the last part of an orderly run. An agent that was killed, or whose power was cut, could not
    /// write its last coverage.
    override func agentEnded() {
        guard board.ending != nil else { return }
        checkUncovered(from: lastEndMilliseconds, to: lastStepMilliseconds)
    }

    override func heard(_ report: HeardReport) {
        guard report.isGood else { return }
        let now = report.milliseconds
        // A lone device with a new address for each advert looks the same as a duplicate filter, so it does
        // not count. A pseudo device address makes it one recognisable sender.
        guard heardPeers.note(report.peer, atMilliseconds: now) else { return }
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

    /// Checks that the log covers the good reports of a time range whose coverage is overdue.
    private func checkOverdue() {
        let limit = checker.coverageLimitMilliseconds
        guard lastStepMilliseconds > limit + Self.overdueMilliseconds else { return }
        let end = lastStepMilliseconds - limit
        checkUncovered(from: max(lastEndMilliseconds, end - Self.overdueMilliseconds), to: end)
    }

    /// Checks that few good reports came in a time range without coverage.
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

    /// Extends the last time range, or begins another one after a longer pause.
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
        // The controller reports a hardware error, but a corrupted stream may lose that event.
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
        let limit = heardPeers.silenceLimitMilliseconds(atMilliseconds: now).map {
            $0 + Self.noticeMilliseconds
        }
        blindness.append(
            Blindness(
                startMilliseconds: blindSince(now), endMilliseconds: now, isHidden: isHidden,
                limitMilliseconds: isHidden ? limit : 0,
                lateMilliseconds: late))
        if blindness.count > 4_000 { blindness.removeFirst(2_000) }
    }

    /// Blindness is tested at each step, and in an empty room steps are a second apart. The controller
    /// knows exactly when scanning ended.
    private func blindSince(_ now: UInt64) -> UInt64 {
        let controller = board.controller
        guard !controller.faults.isBlind, controller.isPresent, !controller.isWedged,
            let ended = controller.truth.scanningEnded
        else { return lastStepMilliseconds }
        return max(lastStepMilliseconds, now - min(now, (checker.world.now - ended).milliseconds))
    }

    override func committed(_ page: CommittedPage) {
        guard page.bootIdentifier == boot else { return }
        for entry in page.entries {
            switch entry {
            case .coverage(let body): check(body)
            case .radio(let body) where body.event == .assumedEmpty:
                noteAssumedEmpty(atMilliseconds: body.monotonicMilliseconds)
            default: break
            }
        }
    }

    /// Whether the board is blind and the agent has all it needs to know that.
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

    /// Handles the entry in which the agent assumes an empty room after it has tried all recovery for long
    /// enough. From then on the agent cannot know that it is blind. It also misses nobody until it has
    /// heard devices steadily again.
    private func noteAssumedEmpty(atMilliseconds time: UInt64) {
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
            blindness[index].assumedEmptyMilliseconds = blindness[index].assumedEmptyMilliseconds ?? time
        }
    }

    /// The time with good reports. Without reports the agent may suspect its radio, because only reports
    /// prove that it works.
    private func heardMilliseconds(from start: UInt64, to end: UInt64) -> UInt64 {
        hearing.reduce(0) {
            $0 + ($1.end > start && $1.start < end ? min(end, $1.end) - max(start, $1.start) : 0)
        }
    }

    private func isWithoutReason(from start: UInt64, to end: UInt64) -> Bool {
        let early = board.clock.time(ofMonotonicMilliseconds: start) - Self.recovery
        let hadRadioFault = diary.had(
            \.isOfRadio, from: early, to: board.clock.time(ofMonotonicMilliseconds: end))
        // A flash fault may later have lost the coverage entry.
        return !hadRadioFault && !diary.had(\.isOfFlash, from: early, to: checker.world.now)
    }
}
