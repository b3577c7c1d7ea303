import Cryptography
import FixedMemory

/// The day keys that a board has, seen from one day.
public struct DayKeyOffer: BitwiseCopyable, Equatable, Sendable {
    /// The day's key; nil if there is none.
    public var key: Bytes<32>?
    /// The number of days with keys, from this one on.
    public var dayCount = 0
    /// The first later day with a key, if this day has none.
    public var nextDay: UInt32?
    /// The first day with a key, of all days; 0 if there is none.
    public var firstDay: UInt32 = 0
    /// The number of days with keys, of all days.
    public var storedDayCount = 0
    /// Whether a log that was in clear contains the root of these keys.
    public var isRootInClear = false

    /// No keys.
    public init() {}
}

/// The keys of coming days, in a row: all that a board keeps of the secrets behind its identities. A day's
/// key reveals nothing about other days.
public struct DayKeys: BitwiseCopyable, Equatable, Sendable {
    /// Eight weeks. The record of so many days fits one signed request over a cable.
    public static let maximumDayCount = 56

    /// A day in the year 9899, the latest for which keys begin: a clock that shows a later day is wrong.
    public static let latestDay: UInt32 = 2_896_000

    public let scheme: SchemeID
    /// Counted from 1970-01-01, UTC.
    public private(set) var firstDay: UInt32
    public private(set) var dayCount: Int
    /// Whether a log that was in clear contains the root of all these keys.
    public var isRootInClear = false
    private(set) var bytes = Bytes<1792>()

    /// Keys of no day.
    public init(_ scheme: SchemeID) { self.init(scheme, firstDay: 0, dayCount: 0) }

    /// Keys of zeros, to be filled in.
    init(_ scheme: SchemeID, firstDay: UInt32, dayCount: Int) {
        precondition((0...Self.maximumDayCount).contains(dayCount))
        precondition(Self.code(of: scheme) != nil)
        self.scheme = scheme
        self.firstDay = firstDay
        self.dayCount = dayCount
    }

    public var isEmpty: Bool { dayCount == 0 }

    /// The number of days with keys from `day` on, including `day`.
    public func daysLeft(from day: UInt32) -> Int {
        day < firstDay ? 0 : max(0, dayCount - Int(truncatingIfNeeded: day - firstDay))
    }

    public func key(of day: UInt32) -> Bytes<32>? {
        guard daysLeft(from: day) > 0 else { return nil }
        let start = Int(truncatingIfNeeded: day - firstDay) * 32
        return Bytes<32>(bytes.span.extracting(start..<start + 32))
    }

    /// - Parameter index: counted from ``firstDay``.
    mutating func set(_ key: Span<UInt8>, at index: Int) {
        precondition(index < dayCount)
        for place in 0..<32 { bytes[index * 32 + place] = key[place] }
    }

    /// Wipes the keys of days before `day`.
    /// - Returns: whether there were any.
    public mutating func drop(before day: UInt32) -> Bool {
        guard day > firstDay, dayCount > 0 else { return false }
        let left = daysLeft(from: day)
        let gone = (dayCount - left) * 32
        for place in 0..<dayCount * 32 { bytes[place] = place < left * 32 ? bytes[place + gone] : 0 }
        firstDay = day
        dayCount = left
        return true
    }

    /// These keys, replaced by `others` from the first day of `others` on. Returns only `others` if those
    /// begin no later, leave a day without a key, or make too many days.
    public func followed(by others: DayKeys) -> DayKeys {
        guard others.scheme == scheme, others.firstDay > firstDay else { return others }
        let kept = Int(truncatingIfNeeded: others.firstDay - firstDay)
        guard kept <= dayCount, kept + others.dayCount <= Self.maximumDayCount else { return others }
        var all = DayKeys(scheme, firstDay: firstDay, dayCount: kept + others.dayCount)
        all.isRootInClear = others.isRootInClear
        for place in 0..<all.dayCount * 32 {
            all.bytes[place] = place < kept * 32 ? bytes[place] : others.bytes[place - kept * 32]
        }
        return all
    }

    /// These keys and new ones. New keys replace existing ones, but new keys that end the day before the
    /// existing ones begin are put in front.
    public func joined(by new: DayKeys) -> DayKeys {
        let leadsHere =
            new.scheme == scheme && new.firstDay < firstDay && new.daysLeft(from: firstDay - 1) == 1
        return leadsHere ? new.followed(by: self) : followed(by: new)
    }

    /// The state of the keys on `day`.
    public func offer(on day: UInt32) -> DayKeyOffer {
        var offer = DayKeyOffer()
        offer.key = key(of: day)
        offer.dayCount = daysLeft(from: day)
        offer.isRootInClear = isRootInClear
        offer.firstDay = isEmpty ? 0 : firstDay
        offer.storedDayCount = dayCount
        if !isEmpty, firstDay > day { offer.nextDay = firstDay }
        return offer
    }

    public mutating func wipe() {
        bytes.wipe()
        dayCount = 0
    }
}
