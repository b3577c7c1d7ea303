import EncounterLog
import FixedMemory
import HCI

/// The recovery ladder: restart the scan, restart both roles, reset, reopen the transport, switch power off
/// and on, give up. Each rung gets some time to help before the next. After the top rung the ladder pauses
/// and repeats; only a garbled stream has pauses longer than a minute. docs/radio-supervisor.md has the
/// times.
///
/// It only decides. The agent performs ``nextAction(now:)`` and reports the result.
package struct RadioSupervisor: BitwiseCopyable {
    package enum Action: BitwiseCopyable, Equatable {
        case restartScan, restartRoles, reset
        case close, open
        /// Close the transport first.
        case powerOff, powerOn
        case assumeEmptyRoom
        case giveUp
    }

    private enum Transport: BitwiseCopyable {
        case open
        /// The transport has failed; the next rung reopens it.
        case lost
        case closed(until: Instant)
        case unpowered(until: Instant)
    }

    /// The rung that ended a controller's failure. If the same failure returns soon, the ladder begins above
    /// it.
    private struct Remedy: BitwiseCopyable {
        let kind: RadioFaultKind
        let rung: RecoveryRung
        let until: Instant
    }

    /// A radio that fails again within this time had not recovered.
    private static let soundAfter = Interval.seconds(15)
    private static let relapse = Interval.minutes(2)
    private static let openingPauses = (first: Interval.milliseconds(500), longest: Interval.seconds(4))
    private static let openingAttempts = 4
    private static let powerOffLength = Interval.seconds(2)
    /// The time that a controller needs after power-on, at least.
    private static let powerOnLength = Interval.seconds(2)
    private static let powerOnAttempts = 4
    /// How long a rung has to help, without the time of a bring-up.
    private static let proof = (ofRoles: Interval.seconds(5), ofController: Interval.seconds(8))

    private let giveUpLimit: Interval?
    package internal(set) var status = RadioStatus()
    /// The number of times the controller was brought up again.
    package private(set) var restarts: UInt32 = 0
    private var transport = Transport.open
    private var attempts = (opening: 0, powerOn: 0)
    /// Whether the board can switch the controller's power, as far as this episode has shown. A vanished
    /// adapter may take its switch with it.
    private var hasPowerHook = true
    /// The controller was up before.
    private var hasComeUp = false
    /// The last attempt to open the transport failed.
    private var isGone = false
    private var episode: RecoveryEpisode?
    private var remedy: Remedy?
    var up: Instant?
    /// When the controller went down. It stays set until the controller has been up for some time.
    private var down: Instant?
    var quiet = Instant.start
    var quietCheck: QuietCheck?
    var waitingEntry: RadioEntry?

    /// `giveUpMinutes`: 0 for never.
    package init(giveUpMinutes: UInt16, now: Instant) {
        giveUpLimit = giveUpMinutes == 0 ? nil : .minutes(UInt64(giveUpMinutes))
        down = now
    }

    /// The controller was never there: the agent waits for it as long as it takes.
    private var isAwaited: Bool { if case .transport = fault { !hasComeUp } else { false } }

    package var isOpen: Bool { if case .open = transport { true } else { false } }
    package var isUnpowered: Bool { if case .unpowered = transport { true } else { false } }

    /// Whether no episode continues and the controller has been up for some time.
    package var isSteady: Bool { episode == nil && down == nil }

    /// The fault of the current episode; nil without one.
    package var fault: RadioFault? { episode?.fault }

    /// Returns the log entry of the last event, once; nil if there is none.
    package mutating func takeEntry() -> RadioEntry? {
        defer { waitingEntry = nil }
        return waitingEntry
    }

    // MARK: Events

    /// - Parameter expectation: how many peers a working radio would hear.
    package mutating func handle(
        _ fault: RadioFault, expectation: ReceptionBaseline.Expectation, now: Instant
    ) {
        status.lastFault = fault.kind
        status.state = .recovering
        if fault.isHard {
            down = down ?? now
            up = nil
        }
        if case .transport = fault { transport = .lost }
        if episode == nil {
            hasPowerHook = true
            episode = RecoveryEpisode(
                fault, above: remedyBefore(fault, now: now), expectation: expectation, now: now)
        } else {
            episode?.handle(fault, hasPowerHook: hasPowerHook, now: now)
        }
    }

    package mutating func didComeUp(now: Instant) {
        up = now
        hasComeUp = true
        if episode == nil { status.state = quietCheck == nil ? .up : .quiet }
        episode?.prove(until: now + Self.proof.ofController)
    }

    /// Updates the episode. Call it once a second while the controller is up.
    ///
    /// - Parameters:
    ///   - suspectedFault: nil if the radio is well.
    ///   - since: since when it is well, as far as known.
    package mutating func recordHealth(
        suspectedFault: RadioFault?, since: Instant, lastGood: Instant?, now: Instant
    ) {
        if let up, now >= up + Self.soundAfter { down = nil }
        if quietCheck != nil, let last = lastGood, last > quiet {
            quietCheck = nil
            if status.state == .quiet { status.state = .up }
        }
        guard let known = episode else { return }
        episode?.suspectedFault = suspectedFault
        guard suspectedFault == nil else {
            episode?.healed = nil
            return
        }
        status.state = quietCheck == nil ? .up : .quiet
        let healed = known.healed ?? since
        episode?.healed = healed
        guard now >= healed + Self.soundAfter else { return }
        episode = nil
        waitingEntry = Self.entry(.recovered, known, at: healed)
        remedy =
            known.fault.isHard && !known.isAtTop(hasPowerHook: hasPowerHook)
            ? Remedy(kind: known.fault.kind, rung: known.highest, until: now + Self.relapse)
            : nil
    }

    /// The rung that ended the same failure a short time ago; `.none` if there is none, or it was the
    /// highest.
    private func remedyBefore(_ fault: RadioFault, now: Instant) -> RecoveryRung {
        guard let remedy, remedy.kind == fault.kind, now < remedy.until else { return .none }
        return remedy.rung
    }

    package mutating func didOpen(now: Instant) {
        transport = .open
        if isGone { hasPowerHook = true }
        isGone = false
        restarts &+= 1
        episode?.prove(until: now + Self.proof.ofController + CommandSlot.resetTimeout)
    }

    /// Records that the transport could not be opened. After some attempts it counts as lost, even if a
    /// suspicion was the reason to close it.
    package mutating func didFailToOpen(_ error: RadioFault, now: Instant) {
        status.lastFault = error.kind
        isGone = true
        down = down ?? now
        attempts.opening += 1
        guard attempts.opening < Self.openingAttempts else {
            transport = .lost
            episode?.handle(error, hasPowerHook: hasPowerHook, now: now)
            return
        }
        let pauses = Self.openingPauses
        transport = .closed(
            until: now
                + min(.milliseconds(pauses.first.milliseconds << UInt64(attempts.opening)), pauses.longest))
    }

    /// Records whether the board could switch off the controller's power. If not, the transport is reopened
    /// instead.
    package mutating func didSwitchPowerOff(hasWorked: Bool, now: Instant) {
        hasPowerHook = hasWorked
        count(hasWorked ? .powerCycle : .reopen, now: now)
        attempts.opening = 0
        attempts.powerOn = 0
        transport =
            hasWorked
            ? .unpowered(until: now + Self.powerOffLength)
            : .closed(until: now + Self.openingPauses.first)
    }

    /// The board switches power on again if the first attempt fails, because a driver may need a moment to
    /// release its device.
    package mutating func didSwitchPowerOn(hasWorked: Bool, now: Instant) {
        attempts.powerOn += 1
        guard !hasWorked, attempts.powerOn < Self.powerOnAttempts else { return }
        transport = .unpowered(until: now + Self.powerOffLength)
    }

    // MARK: Actions

    /// The next action. Call it until it returns nil.
    package mutating func nextAction(now: Instant) -> Action? {
        if let limit = giveUpLimit, let down, let known = episode,
            now >= down + limit, !isAwaited
        {
            status.state = .lost
            waitingEntry = Self.entry(.gaveUp, known, at: now)
            waitingEntry?.rung = .giveUp
            return .giveUp
        }
        switch transport {
        case .unpowered(let until):
            guard now >= until else { return nil }
            transport = .closed(until: now + Self.powerOnLength)
            return .powerOn
        case .closed(let until):
            return now >= until ? .open : nil
        case .open, .lost:
            return nextRung(now: now)
        }
    }

    private mutating func nextRung(now: Instant) -> Action? {
        guard let known = episode else { return nextQuietCheck(now: now) }
        let isOpen = isOpen
        if isOpen, known.healed == nil, let up,
            now >= up + Self.proof.ofController,
            known.isAssumedEmpty(now: now)
        {
            status.state = .quiet
            quiet = now
            let pause = QuietCheck.pauses.first
            quietCheck = QuietCheck(fault: known.fault.kind, at: now + pause, pause: pause)
            waitingEntry = Self.entry(.assumedEmpty, known, at: now)
            episode = nil
            return .assumeEmptyRoom
        }
        guard
            let rung = episode?.dueRung(hasPowerHook: hasPowerHook, isTransportLost: !isOpen, now: now)
        else { return nil }
        return take(rung, now: now)
    }

    mutating func take(_ rung: RecoveryRung, now: Instant) -> Action {
        let isOfRoles = rung == .restartScan || rung == .restartRoles
        let proof = Self.proof
        // A reset may take its time; after that, the whole bring-up is proof enough of life.
        episode?.begin(
            until: now + (isOfRoles ? proof.ofRoles : proof.ofController + CommandSlot.resetTimeout))
        if !isOfRoles { up = nil }
        if rung == .powerCycle { return .powerOff }
        count(rung, now: now)
        if isOfRoles { return rung == .restartScan ? .restartScan : .restartRoles }
        if rung == .reset {
            restarts &+= 1
            return .reset
        }
        attempts.opening = 0
        transport = .closed(until: now + Self.openingPauses.first)
        return .close
    }

    private mutating func count(_ rung: RecoveryRung, now: Instant) {
        status.rungs.count(rung)
        guard let isNews = episode?.count(rung), isNews, let known = episode else { return }
        waitingEntry = RadioEntry(
            instant: now, event: .rungTaken, fault: known.fault.kind, rung: rung, detail: known.fault.detail)
    }

    private static func entry(
        _ event: RadioEvent, _ episode: RecoveryEpisode, at time: Instant
    ) -> RadioEntry {
        RadioEntry(
            instant: time, event: event, fault: episode.fault.kind, rung: episode.highest,
            detail: episode.rungCount)
    }
}
