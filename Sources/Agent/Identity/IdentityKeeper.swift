import FixedMemory
import HCI
import Protocols
import Radio
import Schemes

/// Decides who a wearable is: somebody else every six minutes, by the key of the day, and nobody while
/// there is none or nobody knows what day it is.
///
/// It only decides; the ``RadioController`` makes the change, all at once.
struct IdentityKeeper: BitwiseCopyable {
    private static let lookInterval = Interval.seconds(1)

    private let country: UInt16
    private let state: UInt16
    private(set) var keys = DayKeyKeeper(.herald)
    private var clock = IdentityClock()
    private(set) var standing: IdentityStanding?
    /// Counted from 1970.
    private var period: UInt64?
    private var nextLook = Instant.start
    /// Nobody has an address, too, and changes it as often.
    private var nobodyUntil: Instant?

    init(_ settings: WearableSettings) {
        country = settings.country
        state = settings.state
    }

    /// At the next look, which is due.
    mutating func askForKey() {
        keys.forget()
        nextLook = .start
    }

    /// When to call again at the latest.
    var deadline: Instant { nextLook }

    /// Whether it is time to look.
    func isDue(now: Instant) -> Bool { now >= nextLook }

    /// - Returns: whom to be from now on; nil to stay who we are.
    mutating func advance(
        _ surroundings: IdentitySurroundings, board: inout some BoardControl, random: inout some RandomSource
    ) -> OwnIdentity? {
        let now = surroundings.now
        nextLook = now + Self.lookInterval
        guard let time = clock.time(surroundings)?.milliseconds
        else { return beNobody(.timeUnknown, random: &random, now: now) }
        let wanted = time / HeraldKeySchedule.periodMilliseconds
        let left = HeraldKeySchedule.periodMilliseconds - time % HeraldKeySchedule.periodMilliseconds
        nextLook = min(nextLook, now + .milliseconds(left))
        // A clock that is set back by a little does not bring the last identity back: two addresses would
        // have it.
        if let period, period == wanted + 1 { return nil }
        let perDay = UInt64(HeraldKeySchedule.periodsPerDay)
        guard let day = UInt32(exactly: wanted / perDay),
            let key = keys.key(of: day, isSealed: surroundings.isSealed, board: &board)
        else { return beNobody(.keyMissing, random: &random, now: now) }
        if period == wanted { return nil }
        let identifier = HeraldKeySchedule.identifier(
            ofPeriod: Int(truncatingIfNeeded: wanted % perDay), of: key)
        period = wanted
        standing = .present
        nobodyUntil = nil
        let payload = HeraldSimple(country: country, state: state, identifier: identifier).encoded()
        return OwnIdentity(address: .privateRandom(seed: random.next()), payload: payload)
    }

    private mutating func beNobody(
        _ reason: IdentityStanding, random: inout some RandomSource, now: Instant
    ) -> OwnIdentity? {
        standing = reason
        period = nil
        if let until = nobodyUntil, now < until { return nil }
        nobodyUntil = now + .milliseconds(HeraldKeySchedule.periodMilliseconds)
        return .anonymous(under: .privateRandom(seed: random.next()))
    }
}
