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
    /// The days that need a new root; nil if none do.
    private(set) var wanted: WantedRoot?

    init(_ scheme: SchemeID) { self.scheme = scheme }

    /// Returns the day's key. On a new day the board provides it, and forgets the keys of earlier days.
    ///
    /// - Parameter isSealed: whether the log is encrypted, so that only its owner can read a root in it.
    /// - Returns: nil if the board has no key, or none yet.
    mutating func key(
        of day: UInt32, isSealed: Bool, board: inout some BoardControl
    ) -> Bytes<32>? {
        if let key, key.day == day { return key.key }
        forget()
        guard day <= DayKeys.latestDay, let offer = board.dayKey(of: scheme, on: day) else { return nil }
        wanted = Self.wanted(on: day, offer, isSealed: isSealed)
        key = offer.key.map { (day, $0) }
        return offer.key
    }

    /// Forgets the key, so that the board provides it again.
    mutating func forget() {
        key?.key.wipe()
        key = nil
        wanted = nil
    }

    private static func wanted(on day: UInt32, _ offer: DayKeyOffer, isSealed: Bool) -> WantedRoot? {
        let dayCount = daysPerRoot
        guard offer.key != nil else {
            let freeDayCount =
                offer.nextDay.map {
                    Int(truncatingIfNeeded: min($0 - day, UInt32(truncatingIfNeeded: dayCount)))
                } ?? dayCount
            return WantedRoot(firstDay: day, dayCount: freeDayCount)
        }
        // Anyone who read the unencrypted log can compute the keys of all later days. Today's key is already
        // in use, so the new root begins tomorrow.
        if offer.isRootInClear, isSealed { return WantedRoot(firstDay: day + 1, dayCount: dayCount) }
        guard offer.dayCount < renewalThreshold else { return nil }
        return WantedRoot(
            firstDay: day + UInt32(truncatingIfNeeded: offer.dayCount), dayCount: dayCount)
    }
}

/// The days that need a root.
struct WantedRoot: BitwiseCopyable, Equatable {
    let firstDay: UInt32
    let dayCount: Int
}
