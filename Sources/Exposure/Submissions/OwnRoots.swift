import Archive
import Authority
import FixedMemory
import Schemes

/// The roots of a board's Herald or CovidTracer keys, with the days for which they made keys.
public struct OwnRoots: Sendable {
    public struct Root: Sendable {
        /// The first day, counted from 1970 in UTC.
        public let firstDay: UInt32
        public let dayCount: UInt32
        public let bytes: Bytes<32>

        func covers(_ day: UInt32) -> Bool { day >= firstDay && day - firstDay < dayCount }
    }

    /// In the order in which they were generated.
    public let roots: [Root]

    /// - Parameter keys: the keys of one scheme, in that order. Keys that are not roots are skipped.
    public init(_ keys: [OwnKey]) {
        roots = keys.compactMap { key in
            Bytes<32>(key.bytes).map {
                Root(firstDay: key.firstPeriod, dayCount: key.periodCount, bytes: $0)
            }
        }
    }

    /// Creates a root that makes the keys of every day.
    public init(root: Bytes<32>) { roots = [Root(firstDay: 0, dayCount: .max, bytes: root)] }

    /// The latest root that covers the day. On its first day the board also used the previous root, so both
    /// are returned.
    public func inForce(onDay day: UInt32) -> [Root] {
        let covering = roots.filter { $0.covers(day) }
        let whole = covering.lastIndex { $0.firstDay < day } ?? covering.startIndex
        return Array(covering[whole...])
    }
}

extension OwnRoots {
    /// Herald's matching keys of the days, and the number of days without one. Such a day has no known root,
    /// or lies after the last day of its root.
    public func matchingKeys(ofDays days: ClosedRange<UInt32>) -> (
        keys: [HeraldMatchingKey], daysWithoutCount: Int
    ) {
        var keys: [HeraldMatchingKey] = []
        var daysWithoutCount = 0
        for day in days {
            let own = inForce(onDay: day).compactMap { root in
                try? HeraldKeySchedule(root: root.bytes, firstDay: root.firstDay).matchingKey(ofDay: day)
            }
            if own.isEmpty { daysWithoutCount += 1 }
            keys += own
        }
        return (keys, daysWithoutCount)
    }

    /// CovidTracer's key of a day, from the latest root that covers it. For an uncovered day, on which the
    /// board met no peer, it uses the previous root or else the first. Nil without roots.
    public func dailyKey(of date: CalendarDate) throws(CovidTracerError) -> CovidTracerDailyKey? {
        let day = date.daysSince1970
        guard
            let root = inForce(onDay: day).last ?? roots.last(where: { $0.firstDay <= day }) ?? roots.first
        else { return nil }
        return try CovidTracerRootKey(root.bytes).dailyKey(of: date)
    }
}

extension TemporaryExposureKey {
    /// Nil if the key is not an Exposure Notification key.
    public init?(_ own: OwnKey) {
        guard own.scheme.id == .exposureNotification, let data = Bytes<16>(own.bytes) else { return nil }
        try? self.init(
            data: data, rollingStart: ExposureNotificationInterval(number: own.firstPeriod),
            rollingPeriod: own.periodCount)
    }
}
