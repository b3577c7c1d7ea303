import Authority
import FixedMemory
import Schemes

extension Submission {
    /// The matching keys of the days, from the secret that was provisioned to the wearable.
    ///
    /// - Parameter days: counted from 1970 in UTC. They must be over, because anybody could impersonate the
    ///   wearer with a key of a current day.
    /// - Throws: if one of the days has no key.
    public static func herald(
        _ schedule: HeraldKeySchedule, ofDays days: ClosedRange<UInt32>
    ) throws(HeraldDayWithoutKey) -> Submission {
        var keys: [HeraldMatchingKey] = []
        for day in days {
            guard let key = try? schedule.matchingKey(ofDay: day) else {
                throw HeraldDayWithoutKey(daysSince1970: day)
            }
            keys.append(key)
        }
        return herald(keys, ["the matching keys of \(keys.count) days, \(days.daysText)"])
    }

    /// The matching keys from the roots that the board generated; nil if none covers any of these days.
    public static func herald(_ roots: OwnRoots, ofDays days: ClosedRange<UInt32>) -> Submission? {
        let (keys, daysWithoutCount) = roots.matchingKeys(ofDays: days)
        guard let first = keys.first, let last = keys.last else { return nil }
        var contents = [
            "\(keys.count) matching keys, \((first.daysSince1970...last.daysSince1970).daysText)"
        ]
        if daysWithoutCount > 0 {
            contents.append("no keys for \(daysWithoutCount) days, because none is known")
        }
        return herald(keys, contents)
    }

    private static func herald(_ keys: [HeraldMatchingKey], _ contents: [String]) -> Submission {
        Submission(
            HeraldMatchingKeys(keys).json.line,
            SubmissionText(recipient: "a Herald authority", contents: contents))
    }
}

/// The day has no key: a schedule covers 2,001 days from its first day on.
public struct HeraldDayWithoutKey: Error, Equatable, Sendable {
    public let daysSince1970: UInt32
}
