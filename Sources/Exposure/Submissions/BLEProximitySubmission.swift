import Archive
import Authority
import EncounterLog
import FixedMemory
import Schemes

/// What a board's owner who fell ill reports of BLE-Proximity: who he was, as his board has written it down.
public struct BLEProximitySubmission: Sendable {
    /// Each identity once, from when on until when it was his, as far as the log tells.
    public private(set) var positives = BLEProximityPositives()
    /// How many identities of the board have no time, for it had no clock.
    public private(set) var undatedCount = 0

    /// - Parameter interval: in milliseconds since 1970; identities that were in it at least partly, and were over at its end.
    public init(_ history: BoardHistory, in interval: Range<Int64>) {
        var validities: [BLEProximityUserID: ValidityInterval] = [:]
        for (boot, placement) in zip(history.boots, history.placements()) {
            let own = boot.ownIdentities.filter { $0.identity?.scheme.id == .bleProximity }
            guard placement.isOnWallClock, placement.basis != .order else {
                undatedCount += own.count
                continue
            }
            // The last one lasted as long as anything is known of the start.
            let last = boot.knownMoments?.upperBound
            let ends = own.dropFirst().map(\.monotonicMilliseconds) + [last].compactMap(\.self)
            for (own, end) in zip(own, ends) {
                let start = placement.milliseconds(at: own.monotonicMilliseconds)
                let end = placement.milliseconds(at: end)
                guard end >= interval.lowerBound, end <= interval.upperBound,
                    let id = own.identity.flatMap({ try? BLEProximityUserID(parsing: $0.payload.span) }),
                    let validity = Self.seconds(start, end)
                else { continue }
                validities[id] = validities[id].map { $0.joined(validity) } ?? validity
            }
        }
        positives.append(validities.map { BLEProximityPositive(id: $0.key, validity: $0.value) })
    }

    /// All seconds that are touched; nil before 1970.
    private static func seconds(_ start: Int64, _ end: Int64) -> ValidityInterval? {
        guard let start = UInt64(exactly: start), let end = UInt64(exactly: end) else { return nil }
        return ValidityInterval(startSeconds: start / 1_000, endSeconds: end / 1_000 + 1)
    }
}

extension ValidityInterval {
    /// From where the first of both begins to where the last ends.
    fileprivate func joined(_ other: ValidityInterval) -> ValidityInterval {
        ValidityInterval(
            startSeconds: min(startSeconds, other.startSeconds), endSeconds: max(endSeconds, other.endSeconds)
        )
            ?? self
    }
}
