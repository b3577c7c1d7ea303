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

    /// - Parameter interval: selects identities whose validity overlaps it and
    ///   ended within it.
    public init(_ history: BoardHistory, in interval: Range<WallClockTime>) {
        var validities: [BLEProximityUserID: ValidityInterval] = [:]
        for (boot, placement) in zip(history.boots, history.placements()) {
            let own = boot.ownIdentities.filter { $0.identity?.scheme.id == .bleProximity }
            guard placement.isOnWallClock, placement.basis != .order else {
                undatedCount += own.count
                continue
            }
            // The last identity was valid until the last known moment of the boot.
            let last = boot.knownMoments?.upperBound
            let ends = own.dropFirst().map(\.instant) + [last].compactMap(\.self)
            for (own, end) in zip(own, ends) {
                guard let start = placement.wallClock(at: own.instant),
                    let end = placement.wallClock(at: end),
                    end >= interval.lowerBound, end <= interval.upperBound,
                    let id = own.identity.flatMap({ try? BLEProximityUserID(parsing: $0.payload.span) }),
                    let validity = Self.seconds(start, end)
                else { continue }
                validities[id] = validities[id].map { $0.joined(validity) } ?? validity
            }
        }
        positives.append(validities.map { BLEProximityPositive(id: $0.key, validity: $0.value) })
    }

    /// All seconds that the interval touches.
    private static func seconds(_ start: WallClockTime, _ end: WallClockTime) -> ValidityInterval? {
        ValidityInterval(startSeconds: start.seconds, endSeconds: end.seconds + 1)
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
