import EncounterLog
import FixedMemory

/// One recovery, from the first fault until the radio has been well for a while: the rungs that were taken,
/// and the next.
package struct RecoveryEpisode: BitwiseCopyable {
    private static let longestPause = Interval.seconds(30)
    private static let garbledPause = Interval.minutes(10)
    private static let quietAfter = (many: Interval.minutes(15), fewer: Interval.minutes(5))

    /// The latest fault.
    private(set) var fault: RadioFault
    /// The fault that is suspected now. It may be older than ``fault``.
    var suspectedFault: RadioFault?
    let expectation: ReceptionBaseline.Expectation
    /// When the episode began, or the controller last failed.
    private(set) var since: Instant
    private(set) var highest = RecoveryRung.none
    private(set) var rungCount: UInt32 = 0
    private enum Wait: UInt8, BitwiseCopyable {
        /// No wait: the next rung is due.
        case no
        /// A wait for the last rung to help.
        case proof
        /// A pause after the top rung has not helped.
        case pause
    }
    private var wait = Wait.no
    /// When the wait ends.
    private var waitEnd: Instant
    private var vainClimbs = 0
    /// When the radio became well; nil while it is not. The episode ends once that has lasted.
    var healed: Instant?
    /// A bit for each rung that was logged. Each is logged once, because a fault may last for days.
    private var loggedRungs: UInt8 = 0

    /// - Parameter above: the ladder begins above this rung, which has helped only for a short time.
    init(
        _ fault: RadioFault, above rung: RecoveryRung, expectation: ReceptionBaseline.Expectation,
        now: Instant
    ) {
        self.fault = fault
        highest = rung
        self.expectation = expectation
        since = now
        waitEnd = now
    }

    /// Records that the fault returned, or another one came.
    mutating func handle(_ other: RadioFault, hasPowerHook: Bool, now: Instant) {
        let isWorse = other.isHard && !fault.isHard
        fault = other
        healed = nil
        if other.isHard { since = now }
        if isWorse {
            wait = .no
            waitEnd = now
        } else if wait != .pause {
            rungHasFailed(hasPowerHook: hasPowerHook, now: now)
        } else if other.kind != .garbledStream {
            // The pause for a garbled stream is too long for another fault.
            waitEnd = min(waitEnd, now + Self.longestPause)
        }
    }

    /// Records that the last rung has not helped. The next one is due immediately, or after the highest a
    /// pause.
    mutating func rungHasFailed(hasPowerHook: Bool, now: Instant) {
        wait = .no
        waitEnd = now
        guard vainClimbs > 0 || rungAbove.rawValue > top(hasPowerHook: hasPowerHook).rawValue else { return }
        vainClimbs += 1
        wait = .pause
        waitEnd += pause
    }

    /// The rung to take now; nil during a wait.
    mutating func dueRung(hasPowerHook: Bool, isTransportLost: Bool, now: Instant) -> RecoveryRung? {
        guard now >= waitEnd, healed == nil else { return nil }
        if wait == .proof { rungHasFailed(hasPowerHook: hasPowerHook, now: now) }
        guard now >= waitEnd else { return nil }
        let top = top(hasPowerHook: hasPowerHook)
        let isClimbing = vainClimbs == 0 && rungAbove.rawValue <= top.rawValue
        let rung = isClimbing ? rungAbove : repeatedRung(top: top)
        return isTransportLost && rung.rawValue < RecoveryRung.reopen.rawValue ? .reopen : rung
    }

    /// Gives the last rung more time to help.
    mutating func prove(until end: Instant) {
        guard wait != .pause else { return }
        wait = .proof
        waitEnd = end
    }

    /// Whether the highest rung was taken.
    func isAtTop(hasPowerHook: Bool) -> Bool {
        highest.rawValue >= top(hasPowerHook: hasPowerHook).rawValue
    }

    /// Counts a rung. Returns whether to log it.
    mutating func count(_ rung: RecoveryRung) -> Bool {
        rungCount &+= 1
        if rung.rawValue > highest.rawValue { highest = rung }
        let bit = UInt8(1) << (rung.rawValue & 7)
        defer { loggedRungs |= bit }
        return loggedRungs & bit == 0
    }

    /// Begins the wait for a rung that is being taken.
    mutating func begin(until end: Instant) {
        wait = .proof
        waitEnd = end
    }

    /// Whether the room counts as empty, because the controller has obeyed every command for long enough.
    func isAssumedEmpty(now: Instant) -> Bool {
        guard fault.mayBeEmptyRoom, suspectedFault?.mayBeEmptyRoom ?? true else { return false }
        let limits = Self.quietAfter
        return now >= since + (expectation == .many ? limits.many : limits.fewer)
    }

    // MARK: -

    private var rungAbove: RecoveryRung {
        RecoveryRung(rawValue: max(highest.rawValue + 1, fault.firstRung.rawValue))
    }

    private func top(hasPowerHook: Bool) -> RecoveryRung { hasPowerHook ? .powerCycle : .reopen }

    /// The rung to repeat: the strongest, because any rung may help once the cause is gone.
    private func repeatedRung(top: RecoveryRung) -> RecoveryRung {
        if case .garbledStream = fault { .reset } else { top }
    }

    private var pause: Interval {
        if case .garbledStream = fault { return Self.garbledPause }
        return min(.seconds(UInt64(vainClimbs) * 10), Self.longestPause)
    }
}
