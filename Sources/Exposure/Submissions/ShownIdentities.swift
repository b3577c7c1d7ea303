import Archive
import FixedMemory
import Schemes

/// The identities that a board has shown of itself on each day, and how many of them certain keys explain.
///
/// A board that was given a secret after it had made a root of its own shows identities of both. A submission
/// of the wrong keys would leave its wearer's contacts without a warning.
public struct ShownIdentities: Equatable, Sendable {
    public struct Day: Equatable, Sendable {
        /// Counted from 1970 in UTC.
        public let daysSince1970: UInt32
        public internal(set) var shownCount = 0
        public internal(set) var explainedCount = 0
    }

    /// The days on which the board showed any, in order.
    public let days: [Day]

    /// The first day with an identity that the keys do not explain.
    public var unexplained: Day? { days.first { $0.explainedCount < $0.shownCount } }

    /// - Parameters:
    ///   - range: the days to look at.
    ///   - explains: whether the keys give this identity at this time.
    init(
        of history: BoardHistory, in scheme: SchemeID, onDays range: ClosedRange<UInt32>,
        explains: (_ payload: [UInt8], _ seconds: UInt64) -> Bool
    ) {
        var days: [UInt32: Day] = [:]
        for (boot, placement) in zip(history.boots, history.placements()) {
            for own in boot.ownIdentities {
                guard let identity = own.identity, identity.scheme.id == scheme,
                    let time = placement.wallClock(at: own.instant)
                else { continue }
                let day = UInt32(clamping: time.days)
                guard range.contains(day) else { continue }
                days[day, default: Day(daysSince1970: day)].shownCount += 1
                if explains(identity.payload, time.seconds) { days[day]?.explainedCount += 1 }
            }
        }
        self.days = days.values.sorted { $0.daysSince1970 < $1.daysSince1970 }
    }

    /// Compares Herald's contact identifiers. One that the board showed at midnight may be of either day.
    public init(
        of history: BoardHistory, onDays range: ClosedRange<UInt32>, explainedBy keys: [HeraldMatchingKey]
    ) {
        var identifiers: [UInt32: Set<[UInt8]>] = [:]
        for key in keys {
            let all = (0..<HeraldKeySchedule.periodsPerDay).map {
                HeraldKeySchedule.identifier(ofPeriod: $0, of: key.key).array
            }
            identifiers[key.daysSince1970, default: []].formUnion(all)
        }
        self.init(of: history, in: .herald, onDays: range) { payload, seconds in
            guard let simple = try? HeraldSimple(parsing: payload.span) else { return true }
            let day = UInt32(clamping: seconds / 86_400)
            return [day &- 1, day, day &+ 1].contains {
                identifiers[$0]?.contains(simple.identifier.array) == true
            }
        }
    }

    /// Compares CovidTracer's hourly identifiers.
    public init(of history: BoardHistory, onDays range: ClosedRange<UInt32>, explainedBy roots: OwnRoots) {
        self.init(of: history, in: .covidTracer, onDays: range) { payload, seconds in
            // The board may have changed its identity a little after the hour.
            [seconds, seconds >= 60 ? seconds - 60 : 0, seconds + 60].contains { moment in
                guard let hour = try? CovidTracerHour(containing: moment) else { return false }
                return roots.inForce(onDay: hour.date.daysSince1970).contains { root in
                    let key = try? CovidTracerRootKey(root.bytes).dailyKey(of: hour.date)
                    let identifier = try? key?.identifier(ofHour: hour.hour)
                    return identifier?.bytes.array == payload
                }
            }
        }
    }
}
