import Cryptography
import FixedMemory
import Schemes

/// Keeps one scheme's key of the current day. No key of another day is in memory.
struct DayKeyKeeper: BitwiseCopyable {
    /// The most days for which one new root makes keys; fewer if keys of later days exist already.
    static let daysPerRoot = 28
    /// A new root is made when keys for fewer days than this remain, today included. A patient can then also
    /// report the keys of coming days.
    private static let renewalThreshold = 14

    let scheme: SchemeID
    private var key: (day: UInt32, key: Bytes<32>)?
    /// Keys of days before this one are off the medium.
    private var erasedDay: UInt32 = 0
    /// The first day with a key on the medium, and since when that is known. That day had begun by then.
    private var first: (day: UInt32, since: Instant)?
    /// The days that need a new root; nil if none do.
    private(set) var wanted: WantedRoot?

    init(_ scheme: SchemeID) { self.scheme = scheme }

    /// Returns the day's key. On a new day the board provides it, and forgets the keys of days that are
    /// certainly over.
    ///
    /// - Returns: nil if the board has no key, or none yet.
    mutating func key(
        of day: UInt32, _ surroundings: IdentitySurroundings, board: inout some BoardControl
    ) -> Bytes<32>? {
        let now = surroundings.now
        let current = currentDay(on: day, surroundings)
        if let key, key.day == day, current <= erasedDay { return key.key }
        forget()
        guard day <= DayKeys.latestDay,
            let offer = board.dayKey(of: scheme, on: day, erasingBefore: current)
        else { return nil }
        erasedDay = current
        if first?.day != offer.firstDay { first = (offer.firstDay, now) }
        wanted = Self.wanted(on: day, offer, isSealed: surroundings.isSealed)
        key = offer.key.map { (day, $0) }
        return offer.key
    }

    /// The latest day that has certainly begun: the confirmed one, or as many days after the first one with a
    /// key as this boot has known that key. A clock alone cannot end a day, because it may be wrong.
    private func currentDay(on day: UInt32, _ surroundings: IdentitySurroundings) -> UInt32 {
        let confirmed = surroundings.confirmedDay ?? 0
        guard let first, first.day > 0 else { return confirmed }
        let days: UInt64 = surroundings.now.interval(since: first.since) / .days(1)
        return max(confirmed, min(day, first.day &+ UInt32(truncatingIfNeeded: days)))
    }

    /// Forgets the key, so that the board provides it again.
    mutating func forget() {
        key?.key.wipe()
        key = nil
        wanted = nil
    }

    private static func wanted(on day: UInt32, _ offer: DayKeyOffer, isSealed: Bool) -> WantedRoot? {
        let dayCount = daysPerRoot
        // New keys must leave room for all that are not certainly over, because they would replace those.
        let freeDayCount = DayKeys.maximumDayCount - offer.storedDayCount
        guard offer.key != nil else {
            guard let next = offer.nextDay else {
                return offer.storedDayCount == 0 ? WantedRoot(firstDay: day, dayCount: dayCount) : nil
            }
            let missingDayCount = Int(truncatingIfNeeded: next - day)
            guard missingDayCount <= min(dayCount, freeDayCount) else { return nil }
            return WantedRoot(firstDay: day, dayCount: missingDayCount)
        }
        // Anyone who read the unencrypted log can compute the keys of all later days. Today's key is already
        // in use, so the new root begins tomorrow.
        if offer.isRootInClear, isSealed, freeDayCount + offer.dayCount > dayCount {
            return WantedRoot(firstDay: day + 1, dayCount: dayCount)
        }
        guard offer.dayCount < renewalThreshold, freeDayCount >= dayCount else { return nil }
        return WantedRoot(
            firstDay: day + UInt32(truncatingIfNeeded: offer.dayCount), dayCount: dayCount)
    }
}

/// The days that need a root.
struct WantedRoot: BitwiseCopyable, Equatable {
    let firstDay: UInt32
    let dayCount: Int
}
