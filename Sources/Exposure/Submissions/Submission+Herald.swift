import Authority
import FixedMemory
import Schemes

extension Submission {
    /// The matching keys of days, of the secret that the wearable was given.
    ///
    /// - Parameter days: counted from 1970, UTC. They are over: what is published of a day that is not would let others pretend to be
    ///   the wearer.
    /// - Throws: where there is no key of one of them.
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

    /// The same of the roots that the board has made itself; nil where none was in force then.
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

/// Keys are of 2,001 days from the first on.
public struct HeraldDayWithoutKey: Error, Equatable, Sendable {
    public let daysSince1970: UInt32
}
