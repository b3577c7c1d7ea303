import Cryptography
import FixedMemory
import Schemes

/// The key of a day of one scheme, as the board has it. Of no other day is one in memory.
struct DayKeyKeeper: BitwiseCopyable {
    /// Of a new root, keys of so many days are made.
    static let madeDayCount = 28
    /// And one is made when there are fewer left, this one too. So whoever falls ill can report days ahead,
    /// too.
    private static let leastDayCount = 14

    let scheme: SchemeID
    private var key: (day: UInt32, key: Bytes<32>)?
    /// For which days a new root is to be made; nil: for none.
    private(set) var wanted: WantedRoot?

    init(_ scheme: SchemeID) { self.scheme = scheme }

    /// Asks the board, when it is another day, which forgets those before it.
    ///
    /// - Parameter isSealed: whether what the log is told is told to its owner alone.
    /// - Returns: nil if there is none, or none yet.
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

    /// Has the board asked again.
    mutating func forget() {
        key?.key.wipe()
        key = nil
        wanted = nil
    }

    private static func wanted(on day: UInt32, _ offer: DayKeyOffer, isSealed: Bool) -> WantedRoot? {
        let dayCount = madeDayCount
        guard offer.key != nil else {
            let room =
                offer.nextDay.map {
                    Int(truncatingIfNeeded: min($0 - day, UInt32(truncatingIfNeeded: dayCount)))
                } ?? dayCount
            return WantedRoot(firstDay: day, dayCount: room)
        }
        // Who has read it has the days ahead. Today is his already.
        if offer.isRootInClear, isSealed { return WantedRoot(firstDay: day + 1, dayCount: dayCount) }
        guard offer.dayCount < leastDayCount else { return nil }
        return WantedRoot(
            firstDay: day + UInt32(truncatingIfNeeded: offer.dayCount), dayCount: dayCount)
    }
}

/// The days for which a root is to be made.
struct WantedRoot: BitwiseCopyable, Equatable {
    let firstDay: UInt32
    let dayCount: Int
}
