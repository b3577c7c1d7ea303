import FixedMemory
import HCI
import Protocols
import Radio
import Schemes

/// Decides a wearable's identity in Herald: a new one every six minutes, from the day's key. Without key or
/// time the wearable has none.
///
/// It only decides. The ``RadioController`` changes address and payload in the same moment.
struct IdentityKeeper: BitwiseCopyable {
    private static let lookInterval = Interval.seconds(1)

    private let country: UInt16
    private let state: UInt16
    private(set) var keys = DayKeyKeeper(.herald)
    private var clock = IdentityClock()
    private(set) var standing: IdentityStanding?
    /// The current period, counted from 1970; nil without an identity.
    private var period: UInt64?
    private var nextLook = Instant.start
    /// When a wearable without identity changes its address next: as often as with one.
    private var anonymousUntil: Instant?

    init(_ settings: WearableSettings) {
        country = settings.country
        state = settings.state
    }

    /// Requests the key again at the next call of ``advance``, which is due immediately.
    mutating func askForKey() {
        keys.forget()
        nextLook = .start
    }

    /// When to call again at the latest.
    var deadline: Instant { nextLook }

    /// Whether ``advance`` is due.
    func isDue(now: Instant) -> Bool { now >= nextLook }

    /// - Returns: the new identity; nil if it stays.
    mutating func advance(
        _ surroundings: IdentitySurroundings, board: inout some BoardControl, random: inout some RandomSource
    ) -> OwnIdentity? {
        let now = surroundings.now
        nextLook = now + Self.lookInterval
        guard let time = clock.time(surroundings)?.milliseconds
        else { return becomeAnonymous(.timeUnknown, random: &random, now: now) }
        let wanted = time / HeraldKeySchedule.periodMilliseconds
        let left = HeraldKeySchedule.periodMilliseconds - time % HeraldKeySchedule.periodMilliseconds
        nextLook = min(nextLook, now + .milliseconds(left))
        // A clock set back by less than a period must not bring the last identity back under a second
        // address.
        if let period, period == wanted + 1 { return nil }
        let perDay = UInt64(HeraldKeySchedule.periodsPerDay)
        guard let day = UInt32(exactly: wanted / perDay),
            let key = keys.key(of: day, surroundings, board: &board)
        else { return becomeAnonymous(.keyMissing, random: &random, now: now) }
        if period == wanted { return nil }
        let identifier = HeraldKeySchedule.identifier(
            ofPeriod: Int(truncatingIfNeeded: wanted % perDay), of: key)
        period = wanted
        standing = .present
        anonymousUntil = nil
        let payload = HeraldSimple(country: country, state: state, identifier: identifier).encoded()
        return OwnIdentity(address: .privateRandom(seed: random.next()), payload: payload)
    }

    private mutating func becomeAnonymous(
        _ reason: IdentityStanding, random: inout some RandomSource, now: Instant
    ) -> OwnIdentity? {
        standing = reason
        period = nil
        if let until = anonymousUntil, now < until { return nil }
        anonymousUntil = now + .milliseconds(HeraldKeySchedule.periodMilliseconds)
        return .anonymous(under: .privateRandom(seed: random.next()))
    }
}
