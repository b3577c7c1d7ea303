import EncounterLog
import FixedMemory

/// One trouble with the radio, from the first fault until it has been well for a while: which rungs were
/// taken, and which is next.
package struct RecoveryEpisode: BitwiseCopyable {
    private static let longestPause = Interval.seconds(30)
    /// A few people may well have left all at once: their absence is not worth taking the controller's
    /// power often.
    private static let pauseOfFew = Interval.seconds(45)
    private static let garbledPause = Interval.minutes(10)
    private static let quietAfter = (many: Interval.minutes(15), fewer: Interval.minutes(5))

    /// The latest fault.
    private(set) var fault: RadioFault
    let expectation: ReceptionBaseline.Expectation
    /// When it began, or the controller itself last failed.
    private(set) var since: Instant
    private(set) var highest = RecoveryRung.none
    private(set) var rungCount: UInt32 = 0
    private enum Wait: UInt8, BitwiseCopyable {
        /// For nothing: the next rung is due.
        case no
        /// For the last rung to prove itself.
        case proof
        /// The ladder was climbed in vain, and is left alone for a while.
        case pause
    }
    private var wait = Wait.no
    /// It ends at this time, unless all is well by then.
    private var waitEnd: Instant
    private var vainClimbs = 0
    /// When all seemed well again. It must last.
    var healed: Instant?
    /// A bit for each rung that the log has been told of. Once is enough: a fault may last for days.
    private var loggedRungs: UInt8 = 0

    /// - Parameter above: only what is stronger than this rung is tried: it has helped, but not for long.
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

    /// It is not over, or something else is wrong as well.
    mutating func note(_ other: RadioFault, hasPowerHook: Bool, now: Instant) {
        let isWorse = other.isHard && !fault.isHard
        fault = other
        healed = nil
        if other.isHard { since = now }
        if isWorse {
            wait = .no
            waitEnd = now
        } else if wait != .pause {
            noteVainRung(hasPowerHook: hasPowerHook, now: now)
        }
    }

    /// The last rung has not helped: the next one at once, or, after the highest, a pause.
    mutating func noteVainRung(hasPowerHook: Bool, now: Instant) {
        wait = .no
        waitEnd = now
        guard vainClimbs > 0 || rungAbove.rawValue > top(hasPowerHook: hasPowerHook).rawValue else { return }
        vainClimbs += 1
        wait = .pause
        waitEnd += pause
    }

    /// The rung to take now; nil while there is something to wait for.
    mutating func dueRung(hasPowerHook: Bool, isTransportLost: Bool, now: Instant) -> RecoveryRung? {
        guard now >= waitEnd, healed == nil else { return nil }
        if wait == .proof { noteVainRung(hasPowerHook: hasPowerHook, now: now) }
        guard now >= waitEnd else { return nil }
        let top = top(hasPowerHook: hasPowerHook)
        let isClimbing = vainClimbs == 0 && rungAbove.rawValue <= top.rawValue
        let rung = isClimbing ? rungAbove : repeatedRung(top: top)
        return isTransportLost && rung.rawValue < RecoveryRung.reopen.rawValue ? .reopen : rung
    }

    /// Lets the last rung prove itself for some time more.
    mutating func prove(until end: Instant) {
        guard wait != .pause else { return }
        wait = .proof
        waitEnd = end
    }

    /// Whether there is nothing stronger left.
    func isAtTop(hasPowerHook: Bool) -> Bool {
        highest.rawValue >= top(hasPowerHook: hasPowerHook).rawValue
    }

    /// Notes that a rung was taken. Returns whether the log should hear of it.
    mutating func count(_ rung: RecoveryRung) -> Bool {
        rungCount &+= 1
        if rung.rawValue > highest.rawValue { highest = rung }
        let bit = UInt8(1) << (rung.rawValue & 7)
        defer { loggedRungs |= bit }
        return loggedRungs & bit == 0
    }

    /// A rung is being taken: whatever was waited for has been.
    mutating func begin(until end: Instant) {
        wait = .proof
        waitEnd = end
    }

    /// Whether, the controller having done all that was asked, the room is to be taken for quiet.
    func isAssumedEmpty(now: Instant) -> Bool {
        switch fault {
        case .refusedRole, .garbledStream: return false
        default:
            let limits = Self.quietAfter
            return now >= since + (expectation == .many ? limits.many : limits.fewer)
        }
    }

    // MARK: -

    private var rungAbove: RecoveryRung {
        RecoveryRung(rawValue: max(highest.rawValue + 1, fault.firstRung.rawValue))
    }

    private func top(hasPowerHook: Bool) -> RecoveryRung { hasPowerHook ? .powerCycle : .reopen }

    /// What to try again: as nobody knows what will help once the cause has gone, the strongest.
    private func repeatedRung(top: RecoveryRung) -> RecoveryRung {
        if case .garbledStream = fault { .reset } else { top }
    }

    private var pause: Interval {
        if case .garbledStream = fault { return Self.garbledPause }
        if case .silence = fault, expectation != .many { return Self.pauseOfFew }
        return min(.seconds(UInt64(vainClimbs) * 10), Self.longestPause)
    }
}
