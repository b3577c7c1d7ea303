import Archive
import Authority
import FixedMemory
import Schemes

/// The roots of a board's keys for Herald or CovidTracer, and which were in force when.
public struct OwnRoots: Sendable {
    public struct Root: Sendable {
        /// Counted from 1970, UTC.
        public let firstDay: UInt32
        public let dayCount: UInt32
        public let bytes: Bytes<32>

        func covers(_ day: UInt32) -> Bool { day >= firstDay && day - firstDay < dayCount }
    }

    /// In the order in which they were made.
    public let roots: [Root]

    /// - Parameter keys: of one scheme, in that order. What is no root is passed over.
    public init(_ keys: [OwnKey]) {
        roots = keys.compactMap { key in
            Bytes<32>(key.bytes).map {
                Root(firstDay: key.firstPeriod, dayCount: key.periodCount, bytes: $0)
            }
        }
    }

    /// One that was always in force.
    public init(root: Bytes<32>) { roots = [Root(firstDay: 0, dayCount: .max, bytes: root)] }

    /// The last that was made of those that have the day; on the day on which it came in another's place, that one before it.
    public func inForce(onDay day: UInt32) -> [Root] {
        let covering = roots.filter { $0.covers(day) }
        let whole = covering.lastIndex { $0.firstDay < day } ?? covering.startIndex
        return Array(covering[whole...])
    }
}

extension OwnRoots {
    /// Herald's matching keys of days, and how many of the days have none, for nothing tells of a root so old, or its days are over.
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

    /// CovidTracer's key of a day: of the last root that has it. For a day that none has, with which nobody was met, of the last
    /// root before it, or else of the first. Nil without roots.
    public func dailyKey(of date: CalendarDate) throws(CovidTracerError) -> CovidTracerDailyKey? {
        let day = date.daysSince1970
        guard
            let root = inForce(onDay: day).last ?? roots.last(where: { $0.firstDay <= day }) ?? roots.first
        else { return nil }
        return try CovidTracerRootKey(root.bytes).dailyKey(of: date)
    }
}

extension TemporaryExposureKey {
    /// Nil for what is no key of Exposure Notification.
    public init?(_ own: OwnKey) {
        guard own.scheme.id == .exposureNotification, let data = Bytes<16>(own.bytes) else { return nil }
        try? self.init(
            data: data, rollingStart: ExposureNotificationInterval(number: own.firstPeriod),
            rollingPeriod: own.periodCount)
    }
}
