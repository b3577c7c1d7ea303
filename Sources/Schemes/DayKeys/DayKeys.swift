import Cryptography
import FixedMemory

/// What a board has for a day.
public struct DayKeyOffer: BitwiseCopyable, Equatable, Sendable {
    /// Nil: none.
    public var key: Bytes<32>?
    /// Of how many days there are keys, from this one on.
    public var dayCount = 0
    /// The first later day with a key, if this one has none.
    public var nextDay: UInt32?
    /// The root of these keys stands in a log that was in clear then.
    public var isRootInClear = false

    /// Nothing.
    public init() {}
}

/// The keys of days to come, one after another: all that a board keeps of what its identities follow from. A day's key tells
/// nothing of another day.
public struct DayKeys: BitwiseCopyable, Equatable, Sendable {
    /// Eight weeks. As a record they go over a cable in one signed request.
    public static let maximumDayCount = 56

    /// Of the year 9899: clocks that say later days are wrong, and no day has a key that would follow it.
    public static let latestDay: UInt32 = 2_896_000

    public let scheme: SchemeID
    /// Counted from 1970-01-01, UTC.
    public private(set) var firstDay: UInt32
    public private(set) var dayCount: Int
    /// The root of all these keys stands in a log that was in clear then.
    public var isRootInClear = false
    private(set) var bytes = Bytes<1792>()

    /// Of no day.
    public init(_ scheme: SchemeID) { self.init(scheme, firstDay: 0, dayCount: 0) }

    /// Keys of zeros, to be set.
    init(_ scheme: SchemeID, firstDay: UInt32, dayCount: Int) {
        precondition((0...Self.maximumDayCount).contains(dayCount))
        precondition(Self.code(of: scheme) != nil)
        self.scheme = scheme
        self.firstDay = firstDay
        self.dayCount = dayCount
    }

    public var isEmpty: Bool { dayCount == 0 }

    /// How many days have keys from `day` on, that one too.
    public func daysLeft(from day: UInt32) -> Int {
        day < firstDay ? 0 : max(0, dayCount - Int(truncatingIfNeeded: day - firstDay))
    }

    public func key(of day: UInt32) -> Bytes<32>? {
        guard daysLeft(from: day) > 0 else { return nil }
        let start = Int(truncatingIfNeeded: day - firstDay) * 32
        return Bytes<32>(bytes.span.extracting(start..<start + 32))
    }

    /// `index` counts from ``firstDay``.
    mutating func set(_ key: Span<UInt8>, at index: Int) {
        precondition(index < dayCount)
        for place in 0..<32 { bytes[index * 32 + place] = key[place] }
    }

    /// Forgets the keys of days before `day`.
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

    /// These, and from the first day of `others` on those instead. Where they do not follow one another, or are too many, only
    /// `others`.
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

    /// These and new ones: new ones stand in for those that there are, but what is made for days before the first leads up to
    /// those that there are.
    public func joined(by new: DayKeys) -> DayKeys {
        let leadsHere =
            new.scheme == scheme && new.firstDay < firstDay && new.daysLeft(from: firstDay - 1) == 1
        return leadsHere ? new.followed(by: self) : followed(by: new)
    }

    /// What there is for `day`.
    public func offer(on day: UInt32) -> DayKeyOffer {
        var offer = DayKeyOffer()
        offer.key = key(of: day)
        offer.dayCount = daysLeft(from: day)
        offer.isRootInClear = isRootInClear
        if !isEmpty, firstDay > day { offer.nextDay = firstDay }
        return offer
    }

    public mutating func wipe() {
        bytes.wipe()
        dayCount = 0
    }
}
