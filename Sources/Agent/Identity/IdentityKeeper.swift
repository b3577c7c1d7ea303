import FixedMemory
import HCI
import Schemes

/// Decides who a wearable is: somebody else every six minutes, by its key schedule, and nobody while the schedule or the
/// clock does not say who.
///
/// It only decides; the ``RadioController`` makes the change, all at once.
struct IdentityKeeper: BitwiseCopyable {
    /// Hashes made in one step: about 3 ms on a Raspberry Pi Zero. A new day costs 2,245 and so nine steps.
    private static let hashesPerStep = 256
    private static let lookIntervalMilliseconds: UInt64 = 1_000

    private let country: UInt16
    private let state: UInt16
    private var maker: HeraldIdentifierMaker
    private var clock = IdentityClock()
    private(set) var standing: IdentityStanding?
    private var period: HeraldPeriod?
    private var nextLookMilliseconds: UInt64 = 0
    /// Nobody has an address, too, and changes it as often.
    private var nobodyUntilMilliseconds: UInt64?

    init(_ settings: WearableSettings) {
        country = settings.country
        state = settings.state
        maker = HeraldIdentifierMaker(settings.schedule)
    }

    var schedule: HeraldKeySchedule { maker.schedule }

    /// When to call again at the latest.
    var deadlineMilliseconds: UInt64 { nextLookMilliseconds }

    /// Whether it is time to look.
    func isDue(nowMilliseconds now: UInt64) -> Bool { now >= nextLookMilliseconds }

    /// - Parameters:
    ///   - system: the system's clock; nil while nobody has set it.
    ///   - toldOffset: what to add to monotonic time, as the last sync has told; nil while none has.
    /// - Returns: whom to be from now on; nil to stay who we are.
    mutating func advance(
        system: WallClockReading?, toldOffset: UInt64?, random: inout some RandomSource,
        nowMilliseconds now: UInt64
    ) -> OwnIdentity? {
        nextLookMilliseconds = now + Self.lookIntervalMilliseconds
        guard let time = clock.milliseconds(system: system, toldOffset: toldOffset, nowMilliseconds: now)
        else { return beNobody(.timeUnknown, random: &random, nowMilliseconds: now) }
        let wanted: HeraldPeriod
        do throws(HeraldScheduleError) { wanted = try schedule.period(at: time) } catch {
            return beNobody(
                error == .over ? .scheduleOver : .beforeEpoch, random: &random, nowMilliseconds: now)
        }
        let left = HeraldKeySchedule.periodMilliseconds - time % HeraldKeySchedule.periodMilliseconds
        nextLookMilliseconds = min(nextLookMilliseconds, now + left)
        // A clock that is set back by a little does not bring the last identity back: two addresses would have it.
        if let period, period == wanted || period.ordinal == wanted.ordinal + 1 { return nil }
        guard let identifier = maker.identifier(of: wanted, hashLimit: Self.hashesPerStep) else {
            nextLookMilliseconds = now
            return nil
        }
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
        return .nobody(under: .privateRandom(seed: random.next()))
    }
}
