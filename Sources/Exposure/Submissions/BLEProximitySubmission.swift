import Archive
import Authority
import EncounterLog
import FixedMemory
import Schemes

/// A report to the authority of BLE-Proximity by a board's owner who fell ill: the identities that the board
/// logged as its own.
public struct BLEProximitySubmission: Sendable {
    /// Each identity once, with its validity as far as the log shows it.
    public private(set) var positives = BLEProximityPositives()
    /// The number of the board's identities without a wall time.
    public private(set) var undatedCount = 0

    /// - Parameter interval: in milliseconds since 1970. It selects identities whose validity overlaps it and
    ///   ended within it.
    public init(_ history: BoardHistory, in interval: Range<Int64>) {
        var validities: [BLEProximityUserID: ValidityInterval] = [:]
        for (boot, placement) in zip(history.boots, history.placements()) {
            let own = boot.ownIdentities.filter { $0.identity?.scheme.id == .bleProximity }
            guard placement.isOnWallClock, placement.basis != .order else {
                undatedCount += own.count
                continue
            }
            // The last identity was valid until the last known moment of the boot.
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

    /// All seconds that the interval touches; nil before 1970.
    private static func seconds(_ start: Int64, _ end: Int64) -> ValidityInterval? {
        guard let start = UInt64(exactly: start), let end = UInt64(exactly: end) else { return nil }
        return ValidityInterval(startSeconds: start / 1_000, endSeconds: end / 1_000 + 1)
    }
}

extension ValidityInterval {
    /// The smallest interval that contains both.
    fileprivate func joined(_ other: ValidityInterval) -> ValidityInterval {
        ValidityInterval(
            startSeconds: min(startSeconds, other.startSeconds), endSeconds: max(endSeconds, other.endSeconds)
        )
            ?? self
    }
}
