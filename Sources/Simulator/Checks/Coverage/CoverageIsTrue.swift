import EncounterLog
import FixedMemory

/// Compares the coverage in the log with the times when the agent was really able to receive.
///
/// Coverage entries of a boot never overlap and lie within it, so coverage and blind intervals together
/// fill the boot. No entry covers more than 3.5 s, plus the delay of late reports, in which the controller
/// did not scan or could deliver nothing, unless the agent could not know that. Without a fault, at most
/// 10 s of good reports, from senders heard repeatedly, lie outside coverage. That holds between two
/// entries, and at the end of an agent that ends in order. It also holds for each three minutes whose
/// coverage should be in the log by now.
final class CoverageIsTrue: Check {
    /// Allows for a scan pause in the usual alternation of scanning and connecting, and for the precision
    /// of the comparison.
    private static let tolerance = Interval.milliseconds(3_500)
    /// The longest delay by ``ControllerFault/lateEvents``.
    private static let lateEventDelay = Interval.seconds(3)
    /// The longest delay by ``ControllerFault/corruptedStream``. A packet with a damaged length can seem
    /// longer than it is, and holds back the packets after it until enough bytes have arrived. In a silent
    /// room, the answer to the next probe brings those bytes.
    private static let corruptedStreamDelay = Interval.seconds(10)
    /// The time to notice silence that has lasted long enough.
    private static let noticingTime = Interval.seconds(5)
    /// The shortest suspicion after which the agent may assume an empty room. Consecutive faults make one
    /// suspicion.
    private static let shortestSuspicion = Interval.seconds(290)
    /// A suspicion ends after nothing was wrong for this long.
    private static let suspicionPause = Interval.seconds(16)
    /// How long the agent must hear a device before that device's silence can make it suspect its radio.
    private static let steadyHearing = Interval.seconds(30)
    /// The longest pause between two good reports of one hearing interval.
    private static let hearingPause = Interval.seconds(5)
    /// How long good reports may arrive without a coverage entry.
    private static let longestUncovered = Interval.seconds(10)
    /// The length of the time range that is checked every ``overdueCheckInterval``. It ends long enough ago
    /// that the log should have its coverage.
    private static let overdueLength = Interval.minutes(3)
    private static let overdueCheckInterval = Interval.seconds(30)
    /// These faults blind the board only if the agent does something at the wrong time. The controller's
    /// scan state then shows it.
    private static let blindOnlyInEffect =
        [ControllerFault.wedgeWhenConnecting, .rolesStoppedByConnection] + mishaps
    /// Faults that end the scan in a moment, and all faults that a proof of the scan shows.
    private static let mishaps: [ControllerFault] = [.amnesia, .restart, .scanEnds]
    private static let shownByProof = [ControllerFault.silence] + mishaps
    private static let mishapTime = SimulatedDuration.seconds(60)
    private static let longestDetection = Interval.seconds(25)
    private static let shortSilence = Interval.seconds(4)
    /// A renewal comes within 28 s, and a refusal that lasts for 10 s shows a fault.
    private static let lostEventTime = SimulatedDuration.seconds(40)
    /// How long the agent may take to recover from a fault of the radio after the fault is over.
    private static let recoveryTime = SimulatedDuration.seconds(90)

    private var boot: UInt64 = 0
    private var bootInstant = Instant.start
    private var lastEnd = Instant.start
    private var blindness: [Blindness] = []
    private var isBlind = true
    private var wasQuiet = false
    private var lastStep = Instant.start
    private var nextOverdue = Instant.start
    private var scanShare = 0.0
    /// When the agent suspected its radio. The check only needs to know whether a suspicion began at least
    /// ``shortestSuspicion`` ago, not whether it was right.
    private var suspicions: [(start: Instant, end: Instant)] = []
    private var heardPeers = HeardPeers()
    private var lastGood = Instant.start
    /// When good reports came from senders that had been heard before.
    private var hearing: [(start: Instant, end: Instant)] = []

    override func agentStarted() {
        boot = board.bootIdentifier
        bootInstant = board.clock.now
        lastEnd = bootInstant
        lastStep = bootInstant
        blindness = []
        isBlind = false
        wasQuiet = false
        suspicions = []
        heardPeers = HeardPeers()
        lastGood = .start
        hearing = []
        nextOverdue = .start
    }

    /// Checks the last part of an orderly run. An agent that was killed, or whose power was cut, could not
    /// write its last coverage.
    override func agentEnded() {
        guard board.ending != nil else { return }
        checkUncovered(from: lastEnd, to: lastStep)
    }

    override func heard(_ report: HeardReport) {
        guard report.isGood else { return }
        let now = report.instant
        lastGood = now
        // A lone device with a new address for each advert looks the same as a duplicate filter, so it does
        // not count. A pseudo device address makes it one recognisable sender.
        guard heardPeers.record(report.peer, at: now) else { return }
        Self.extend(with: now, in: &hearing, pause: Self.hearingPause)
    }

    override func stepped(_ step: StepFacts) {
        let controller = board.controller
        let isBlindNow =
            controller.truth.scanningSince == nil || !controller.isPresent || controller.isWedged
            || controller.isScanMasked
            || controller.faults.all.contains { $0.blinds && !Self.blindOnlyInEffect.contains($0) }
        if isBlindNow {
            recordBlindness(at: step.now)
        } else if isBlind, let last = blindness.indices.last {
            blindness[last].end = lastStep
        }
        isBlind = isBlindNow
        recordSuspicion(at: step.now)
        followTiming(at: step.now)
        lastStep = step.now
        if lastStep >= nextOverdue {
            nextOverdue = lastStep + Self.overdueCheckInterval
            checkOverdue()
        }
    }

    /// A scan that comes to listen less hears fewer reports. Unless the devices are silent already, the agent
    /// expects none from then on until it has heard devices steadily again.
    private func followTiming(at now: Instant) {
        let share = board.controller.scanShare
        defer { scanShare = share }
        if share < scanShare, now <= lastGood + Self.shortSilence { heardPeers = HeardPeers() }
    }

    /// Checks that the log covers the good reports of a time range whose coverage is overdue.
    private func checkOverdue() {
        let limit = checker.coverageLimit
        guard lastStep > .start + limit + Self.overdueLength else { return }
        let end = lastStep - limit
        checkUncovered(from: max(lastEnd, end - Self.overdueLength), to: end)
    }

    /// Checks that few good reports came in a time range without coverage.
    private func checkUncovered(from start: Instant, to end: Instant) {
        guard start < end, heard(from: start, to: end) > Self.longestUncovered,
            isWithoutReason(from: start, to: end)
        else { return }
        broken("blind from \(start.milliseconds) to \(end.milliseconds) ms without a fault")
    }

    private func recordSuspicion(at now: Instant) {
        let isQuiet = board.radioStatus?.state == .quiet
        if isQuiet, !wasQuiet { excuseBlindness(at: now, isDeparture: true) }
        wasQuiet = isQuiet
        guard board.radioStatus?.state == .recovering else { return }
        Self.extend(with: now, in: &suspicions, pause: Self.suspicionPause)
    }

    /// Extends the last time range, or begins another one after a longer pause.
    private static func extend(
        with now: Instant, in ranges: inout [(start: Instant, end: Instant)], pause: Interval
    ) {
        if let last = ranges.last, now <= last.end + pause {
            ranges[ranges.count - 1].end = now
        } else {
            ranges.append((now, now))
        }
    }

    private func recordBlindness(at now: Instant) {
        let faults = board.controller.faults
        // The controller reports a hardware error once until its next reset, and a corrupted stream may lose
        // that event. The agent then learns of the fault when a renewal is refused.
        let isShown = isShownByProof
        let isHidden =
            faults.has(.corruptedStream) || board.controller.isScanMasked
            || faults.has(.hardwareError, begunDuring: .corruptedStream)
                && faults.had([.corruptedStream], within: Self.lostEventTime)
            || faults.all.contains {
                $0.blinds && $0 != .hardwareError && !(isShown && Self.shownByProof.contains($0))
            } || !isShown && faults.had(Self.mishaps, within: Self.mishapTime)
        let reportDelay =
            faults.has(.corruptedStream)
            ? Self.corruptedStreamDelay : faults.has(.lateEvents) ? Self.lateEventDelay : .zero
        if isBlind, let last = blindness.indices.last {
            blindness[last].end = now
            if isHidden, blindness[last].isOfFew, board.controller.seemsLinked {
                blindness[last].linkedUntil = now
            }
            if blindness[last].isHidden == isHidden {
                blindness[last].reportDelay = max(blindness[last].reportDelay, reportDelay)
                return
            }
        }
        let hasLinks = board.controller.seemsLinked
        let detectionDelay = heardPeers.silenceLimit(at: now, hasLinks: hasLinks).map {
            $0 + Self.noticingTime
        }
        let start = blindSince(now)
        // A silence that ends by itself before it is suspected is covered.
        let shownAfter =
            faults.had(Self.shownByProof, within: Self.mishapTime)
            ? detectionDelay ?? Self.longestDetection : .zero
        blindness.append(
            Blindness(
                start: start, silentSince: min(start, lastGood), end: now, isHidden: isHidden,
                detectionDelay: isHidden ? detectionDelay : shownAfter,
                isOfFew: heardPeers.silenceLimit(at: now, hasLinks: true) == nil, linkedUntil: start,
                reportDelay: reportDelay))
        if blindness.count > 4_000 { blindness.removeFirst(2_000) }
    }

    /// Whether the controller's answers show that it does not scan. See ``ScanProof``.
    private var isShownByProof: Bool {
        board.controller.truth.hasProvedScan && !board.controller.faults.has(.disallowedParameters)
            && !checker.options.has(.rolesByTurns)
            && !checker.options.has(.exposureNotificationOn)
    }

    /// Blindness is tested at each step, and in an empty room steps are a second apart. The controller
    /// knows exactly when scanning ended.
    private func blindSince(_ now: Instant) -> Instant {
        let controller = board.controller
        guard !controller.faults.isBlind, controller.isPresent, !controller.isWedged,
            let ended = controller.truth.scanningEnded
        else { return lastStep }
        return max(lastStep, now.earlier(by: .milliseconds((checker.world.now - ended).milliseconds)))
    }

    override func committed(_ page: CommittedPage) {
        guard page.bootIdentifier == boot else { return }
        for entry in page.entries {
            switch entry {
            case .coverage(let body): check(body)
            case .radio(let body) where body.event == .assumedEmpty:
                excuseBlindness(at: body.instant, isDeparture: body.fault == .silence)
            default: break
            }
        }
    }

    /// Whether the board is blind and the agent has all it needs to know that.
    var mustKnowItIsBlind: Bool {
        guard isBlind, let last = blindness.last, let known = last.known else { return false }
        return known.upperBound == last.end
    }

    private func check(_ entry: CoverageEntry) {
        let (start, end) = (entry.start, entry.end)
        guard start <= end, start >= lastEnd, start >= bootInstant else {
            return broken(
                "coverage \(start.milliseconds)–\(end.milliseconds) ms after \(lastEnd.milliseconds) ms")
        }
        checkUncovered(from: lastEnd, to: start)
        for blind in blindness where blind.start < end && blind.end > start {
            guard let known = blind.known, known.lowerBound < end, known.upperBound > start else { continue }
            let length = min(end, known.upperBound) - max(start, known.lowerBound)
            if length > Self.tolerance + blind.reportDelay {
                broken(
                    """
                    coverage \(start.milliseconds)–\(end.milliseconds) ms, \
                    blind \(blind.start.milliseconds)–\(blind.end.milliseconds) ms
                    """
                )
            }
        }
        lastEnd = max(lastEnd, end)
    }

    /// Handles an empty room that the agent assumes: after it has tried all recovery for long enough, or
    /// after expected devices were silent for some seconds, also for the renewed scan. From then on the
    /// agent cannot know that it is blind. It also expects no device, so silence proves nothing, until it
    /// has heard devices steadily again.
    private func excuseBlindness(at time: Instant, isDeparture: Bool) {
        for index in blindness.indices
        where blindness[index].isHidden && time <= blindness[index].start
            && blindness[index].start < time + Self.steadyHearing
        {
            blindness[index].detectionDelay = nil
        }
        if !isDeparture {
            let suspicion = suspicions.last { $0.start <= time }
            guard let suspicion, suspicion.start + Self.shortestSuspicion <= time else { return }
        }
        for index in blindness.indices { blindness[index].assumeEmpty(at: time, isDeparture: isDeparture) }
    }

    /// The time with good reports. Without reports the agent may suspect its radio, because only reports
    /// prove that it works.
    private func heard(from start: Instant, to end: Instant) -> Interval {
        hearing.reduce(.zero) {
            $0 + ($1.end > start && $1.start < end ? min(end, $1.end) - max(start, $1.start) : .zero)
        }
    }

    private func isWithoutReason(from start: Instant, to end: Instant) -> Bool {
        let early = board.clock.time(of: start) - Self.recoveryTime
        let hadRadioFault = diary.had(\.isOfRadio, from: early, to: board.clock.time(of: end))
        // A flash fault may later have lost the coverage entry.
        return !hadRadioFault && !diary.had(\.isOfFlash, from: early, to: checker.world.now)
    }
}
