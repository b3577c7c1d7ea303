import EncounterLog

/// The recovery ladder: restart the scan, restart both roles, reset, open the transport anew, take power
/// and give it back, give up. Each rung gets a while to prove itself; then comes the next. Climbed in vain,
/// the ladder is tried again and again after pauses that stay below a minute. docs/radio-supervisor.md has
/// the times.
///
/// It only decides. The agent does what ``nextAction(nowMilliseconds:)`` says, and tells what came of it.
package struct RadioSupervisor: BitwiseCopyable {
    package enum Action: BitwiseCopyable, Equatable {
        case restartScan, restartRoles, reset
        case close, open
        /// The transport is to be closed for it.
        case powerOff, powerOn
        case assumeEmptyRoom
        case giveUp
    }

    private enum Transport: BitwiseCopyable {
        case open
        /// It has failed; the next rung opens it anew.
        case lost
        case closed(untilMilliseconds: UInt64)
        case unpowered(untilMilliseconds: UInt64)
    }

    /// The next reset of a radio in a room that was taken for quiet.
    private struct QuietCheck: BitwiseCopyable {
        let fault: RadioFault
        var atMilliseconds: UInt64
        var pauseMilliseconds: UInt64
    }

    /// What helped against a controller's failure: the same one soon afterwards wants something stronger.
    private struct Remedy: BitwiseCopyable {
        let kind: RadioFaultKind
        let rung: RecoveryRung
        let untilMilliseconds: UInt64
    }

    /// A radio that fails again within this time was not mended.
    private static let soundAfterMilliseconds: UInt64 = 15_000
    private static let relapseMilliseconds: UInt64 = 120_000
    private static let openingPausesMilliseconds = (first: 500 as UInt64, longest: 4_000 as UInt64)
    private static let openingAttempts = 4
    private static let powerOffMilliseconds: UInt64 = 2_000
    /// What a controller takes to be there again, at least.
    private static let powerOnMilliseconds: UInt64 = 2_000
    private static let powerOnAttempts = 4
    /// How long a rung has to prove itself; a controller's start comes on top.
    private static let proofMilliseconds = (ofRoles: 5_000 as UInt64, ofController: 8_000 as UInt64)

    /// A room that was taken for quiet may be a radio that is deaf: after such pauses it is reset, each
    /// twice as long as the one before.
    private static let quietPausesMilliseconds = (first: 900_000 as UInt64, longest: 14_400_000 as UInt64)

    private let giveUpMilliseconds: UInt64?
    package private(set) var status = RadioStatus()
    /// Times the controller was brought up anew.
    package private(set) var restarts: UInt32 = 0
    private var transport = Transport.open
    private var openingAttempt = 0
    /// As far as is known of this episode: where an adapter has vanished, its switch may have gone with it.
    private var hasPowerHook = true
    private var powerOnAttempt = 0
    /// The transport could not be opened when that was tried last.
    private var isGone = false
    private var episode: RecoveryEpisode?
    private var remedy: Remedy?
    private var upMilliseconds: UInt64?
    /// Since when the controller has not been up, or not for long.
    private var downMilliseconds: UInt64?
    private var quietMilliseconds: UInt64 = 0
    private var quietCheck: QuietCheck?
    private var waitingEntry: RadioEntry?

    /// `giveUpMinutes`: 0 for never.
    package init(giveUpMinutes: UInt16, nowMilliseconds now: UInt64) {
        giveUpMilliseconds = giveUpMinutes == 0 ? nil : UInt64(giveUpMinutes) * 60_000
        downMilliseconds = now
    }

    package var isOpen: Bool { if case .open = transport { true } else { false } }
    package var isUnpowered: Bool { if case .unpowered = transport { true } else { false } }

    /// Nothing is wrong, and nothing has been of late.
    package var isSteady: Bool { episode == nil && downMilliseconds == nil }

    /// What is wrong, while something is.
    package var fault: RadioFault? { episode?.fault }

    /// What there is to log about what was last done, once.
    package mutating func takeEntry() -> RadioEntry? {
        defer { waitingEntry = nil }
        return waitingEntry
    }

    // MARK: What befalls the radio

    /// - Parameter expectation: who should be heard, if the radio were well.
    package mutating func note(
        _ fault: RadioFault, expectation: ReceptionBaseline.Expectation, nowMilliseconds now: UInt64
    ) {
        status.lastFault = fault.kind
        status.state = .recovering
        if fault.isHard {
            downMilliseconds = downMilliseconds ?? now
            upMilliseconds = nil
        }
        if case .transport = fault { transport = .lost }
        if episode == nil {
            hasPowerHook = true
            episode = RecoveryEpisode(
                fault, above: remedyBefore(fault, nowMilliseconds: now), expectation: expectation,
                nowMilliseconds: now)
        } else {
            episode?.note(fault, hasPowerHook: hasPowerHook, nowMilliseconds: now)
        }
    }

    package mutating func noteUp(nowMilliseconds now: UInt64) {
        upMilliseconds = now
        if episode == nil { status.state = quietCheck == nil ? .up : .quiet }
        episode?.prove(untilMilliseconds: now + Self.proofMilliseconds.ofController)
    }

    /// Once a second while the controller is up. `isWell`: all is as it should be; `sinceMilliseconds`:
    /// since when, as far as is known.
    package mutating func noteHealth(
        isWell: Bool, sinceMilliseconds: UInt64, lastGoodMilliseconds: UInt64?, nowMilliseconds now: UInt64
    ) {
        if let up = upMilliseconds, now >= up + Self.soundAfterMilliseconds { downMilliseconds = nil }
        if quietCheck != nil, let last = lastGoodMilliseconds, last > quietMilliseconds {
            quietCheck = nil
            if status.state == .quiet { status.state = .up }
        }
        guard let known = episode else { return }
        guard isWell else {
            episode?.healedMilliseconds = nil
            return
        }
        status.state = quietCheck == nil ? .up : .quiet
        let healed = known.healedMilliseconds ?? sinceMilliseconds
        episode?.healedMilliseconds = healed
        guard now >= healed + Self.soundAfterMilliseconds else { return }
        episode = nil
        waitingEntry = Self.entry(.recovered, known, atMilliseconds: healed)
        remedy =
            known.fault.isHard && !known.isAtTop(hasPowerHook: hasPowerHook)
            ? Remedy(
                kind: known.fault.kind, rung: known.highest, untilMilliseconds: now + Self.relapseMilliseconds
            )
            : nil
    }

    /// The rung that ended the same failure a moment ago; after the highest it begins with the mildest
    /// again.
    private func remedyBefore(_ fault: RadioFault, nowMilliseconds now: UInt64) -> RecoveryRung {
        guard let remedy, remedy.kind == fault.kind, now < remedy.untilMilliseconds else { return .none }
        return remedy.rung
    }

    package mutating func noteOpened(nowMilliseconds now: UInt64) {
        transport = .open
        if isGone { hasPowerHook = true }
        isGone = false
        restarts &+= 1
        episode?.prove(untilMilliseconds: now + Self.proofMilliseconds.ofController)
    }

    /// An adapter that was closed for a mere doubt, and is not there any more, is as lost as one that went
    /// by itself.
    package mutating func noteNotOpened(_ error: RadioFault, nowMilliseconds now: UInt64) {
        status.lastFault = error.kind
        isGone = true
        downMilliseconds = downMilliseconds ?? now
        openingAttempt += 1
        guard openingAttempt < Self.openingAttempts else {
            transport = .lost
            episode?.note(error, hasPowerHook: hasPowerHook, nowMilliseconds: now)
            return
        }
        let pauses = Self.openingPausesMilliseconds
        transport = .closed(
            untilMilliseconds: now + min(pauses.first << UInt64(openingAttempt), pauses.longest))
    }

    /// Whether the board could take the controller's power. Where it cannot, the transport is opened anew
    /// instead.
    package mutating func notePowerOff(hasWorked: Bool, nowMilliseconds now: UInt64) {
        hasPowerHook = hasWorked
        count(hasWorked ? .powerCycle : .reopen, nowMilliseconds: now)
        openingAttempt = 0
        powerOnAttempt = 0
        transport =
            hasWorked
            ? .unpowered(untilMilliseconds: now + Self.powerOffMilliseconds)
            : .closed(untilMilliseconds: now + Self.openingPausesMilliseconds.first)
    }

    /// The board switches power on again if the first attempt fails, because a driver may need a moment to
    /// release its device.
    package mutating func notePowerOn(hasWorked: Bool, nowMilliseconds now: UInt64) {
        powerOnAttempt += 1
        guard !hasWorked, powerOnAttempt < Self.powerOnAttempts else { return }
        transport = .unpowered(untilMilliseconds: now + Self.powerOffMilliseconds)
    }

    // MARK: What to do about it

    /// What to do now; to be asked until it is nothing.
    package mutating func nextAction(nowMilliseconds now: UInt64) -> Action? {
        if let limit = giveUpMilliseconds, let down = downMilliseconds, let known = episode,
            now >= down + limit
        {
            status.state = .lost
            waitingEntry = Self.entry(.gaveUp, known, atMilliseconds: now)
            waitingEntry?.rung = .giveUp
            return .giveUp
        }
        switch transport {
        case .unpowered(let until):
            guard now >= until else { return nil }
            transport = .closed(untilMilliseconds: now + Self.powerOnMilliseconds)
            return .powerOn
        case .closed(let until):
            return now >= until ? .open : nil
        case .open, .lost:
            return nextRung(nowMilliseconds: now)
        }
    }

    private mutating func nextRung(nowMilliseconds now: UInt64) -> Action? {
        guard let known = episode else { return nextQuietCheck(nowMilliseconds: now) }
        let isOpen = isOpen
        if isOpen, known.healedMilliseconds == nil, let up = upMilliseconds,
            now >= up + Self.proofMilliseconds.ofController,
            known.isAssumedEmpty(nowMilliseconds: now)
        {
            status.state = .quiet
            quietMilliseconds = now
            let pause = Self.quietPausesMilliseconds.first
            quietCheck = QuietCheck(
                fault: known.fault, atMilliseconds: now + pause, pauseMilliseconds: pause)
            waitingEntry = Self.entry(.assumedEmpty, known, atMilliseconds: now)
            episode = nil
            return .assumeEmptyRoom
        }
        guard
            let rung = episode?.dueRung(
                hasPowerHook: hasPowerHook, isTransportLost: !isOpen, nowMilliseconds: now)
        else { return nil }
        return take(rung, nowMilliseconds: now)
    }

    private mutating func nextQuietCheck(nowMilliseconds now: UInt64) -> Action? {
        guard var check = quietCheck, upMilliseconds != nil, now >= check.atMilliseconds else { return nil }
        check.pauseMilliseconds = min(check.pauseMilliseconds * 2, Self.quietPausesMilliseconds.longest)
        check.atMilliseconds = now + check.pauseMilliseconds
        quietCheck = check
        waitingEntry = RadioEntry(
            monotonicMilliseconds: now, event: .assumedEmpty, fault: check.fault.kind, rung: .reset,
            detail: 1)
        return take(.reset, nowMilliseconds: now)
    }

    private mutating func take(_ rung: RecoveryRung, nowMilliseconds now: UInt64) -> Action {
        let isOfRoles = rung == .restartScan || rung == .restartRoles
        let proof = Self.proofMilliseconds
        episode?.begin(untilMilliseconds: now + (isOfRoles ? proof.ofRoles : proof.ofController))
        if !isOfRoles { upMilliseconds = nil }
        if rung == .powerCycle { return .powerOff }
        count(rung, nowMilliseconds: now)
        if isOfRoles { return rung == .restartScan ? .restartScan : .restartRoles }
        if rung == .reset {
            restarts &+= 1
            return .reset
        }
        openingAttempt = 0
        transport = .closed(untilMilliseconds: now + Self.openingPausesMilliseconds.first)
        return .close
    }

    private mutating func count(_ rung: RecoveryRung, nowMilliseconds now: UInt64) {
        status.rungs.note(rung)
        guard let isNews = episode?.count(rung), isNews, let known = episode else { return }
        waitingEntry = RadioEntry(
            monotonicMilliseconds: now, event: .rungTaken, fault: known.fault.kind, rung: rung,
            detail: known.fault.detail)
    }

    private static func entry(
        _ event: RadioEvent, _ episode: RecoveryEpisode, atMilliseconds time: UInt64
    ) -> RadioEntry {
        RadioEntry(
            monotonicMilliseconds: time, event: event, fault: episode.fault.kind, rung: episode.highest,
            detail: episode.rungCount)
    }
}
