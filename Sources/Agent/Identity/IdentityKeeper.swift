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
    private static let lookIntervalMilliseconds: UInt64 = 1_000

    private let country: UInt16
    private let state: UInt16
    private(set) var keys = DayKeyKeeper(.herald)
    private var clock = IdentityClock()
    private(set) var standing: IdentityStanding?
    /// Counted from 1970.
    private var period: UInt64?
    private var nextLookMilliseconds: UInt64 = 0
    /// Nobody has an address, too, and changes it as often.
    private var nobodyUntilMilliseconds: UInt64?

    init(_ settings: WearableSettings) {
        country = settings.country
        state = settings.state
    }

    /// At the next look, which is due.
    mutating func askForKey() {
        keys.forget()
        nextLookMilliseconds = 0
    }

    /// When to call again at the latest.
    var deadlineMilliseconds: UInt64 { nextLookMilliseconds }

    /// Whether it is time to look.
    func isDue(nowMilliseconds now: UInt64) -> Bool { now >= nextLookMilliseconds }

    /// - Returns: whom to be from now on; nil to stay who we are.
    mutating func advance(
        _ surroundings: IdentitySurroundings, board: inout some BoardControl, random: inout some RandomSource
    ) -> OwnIdentity? {
        let now = surroundings.nowMilliseconds
        nextLookMilliseconds = now + Self.lookIntervalMilliseconds
        guard let time = clock.milliseconds(surroundings)
        else { return beNobody(.timeUnknown, random: &random, nowMilliseconds: now) }
        let wanted = time / HeraldKeySchedule.periodMilliseconds
        let left = HeraldKeySchedule.periodMilliseconds - time % HeraldKeySchedule.periodMilliseconds
        nextLookMilliseconds = min(nextLookMilliseconds, now + left)
        // A clock that is set back by a little does not bring the last identity back: two addresses would
        // have it.
        if let period, period == wanted + 1 { return nil }
        let perDay = UInt64(HeraldKeySchedule.periodsPerDay)
        guard let day = UInt32(exactly: wanted / perDay),
            let key = keys.key(of: day, isSealed: surroundings.isSealed, board: &board)
        else { return beNobody(.keyMissing, random: &random, nowMilliseconds: now) }
        if period == wanted { return nil }
        let identifier = HeraldKeySchedule.identifier(
            ofPeriod: Int(truncatingIfNeeded: wanted % perDay), of: key)
        period = wanted
        standing = .present
        nobodyUntilMilliseconds = nil
        let payload = HeraldSimple(country: country, state: state, identifier: identifier).encoded()
        return OwnIdentity(address: .privateRandom(seed: random.next()), payload: payload)
    }

    private mutating func beNobody(
        _ reason: IdentityStanding, random: inout some RandomSource, nowMilliseconds now: UInt64
    ) -> OwnIdentity? {
        standing = reason
        period = nil
        if let until = nobodyUntilMilliseconds, now < until { return nil }
        nobodyUntilMilliseconds = now + HeraldKeySchedule.periodMilliseconds
        return .anonymous(under: .privateRandom(seed: random.next()))
    }
}
