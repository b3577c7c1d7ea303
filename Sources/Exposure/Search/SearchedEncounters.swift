import Archive
import EncounterLog
import Schemes

/// Which recorded encounters of a scheme published keys can match, and how many cannot, for what.
struct SearchedEncounters<Identity> {
    struct Candidate {
        let encounter: Encounter
        let identity: Identity
        /// Young enough; none where the log has lost them.
        let samples: [Sample]
    }

    private(set) var candidates: [Candidate] = []
    private(set) var counts = SearchCounts()

    /// - Parameters:
    ///   - encounters: of any scheme; others are passed over.
    ///   - nowMilliseconds: since 1970; what was heard so many days before it does not match.
    ///   - read: nil for what is no identity of somebody who could fall ill, such as a venue of Herald's. That is neither searched nor
    ///     lost: lost is what only its hash is left of, for it may have been anybody's.
    init(
        _ encounters: [Encounter], of scheme: SchemeID, retentionDays: Int, nowMilliseconds: Int64,
        read: (Span<UInt8>) -> Identity?
    ) {
        // Before 1970 there were no phones; and a log may claim anything.
        let oldest = max(0, max(0, nowMilliseconds) - Int64(retentionDays) * 86_400_000)
        for encounter in encounters {
            guard let recorded = encounter.identity, recorded.scheme.id == scheme else { continue }
            guard recorded.lostHash == nil else {
                counts.lost += 1
                continue
            }
            guard let identity = read(recorded.payload.span) else { continue }
            guard encounter.isOnWallClock else {
                counts.undated += 1
                continue
            }
            let samples = encounter.samples.filter { $0.startMilliseconds >= oldest }
            guard !samples.isEmpty || encounter.samples.isEmpty && encounter.startMilliseconds >= oldest
            else {
                counts.expired += 1
                continue
            }
            counts.searched += 1
            candidates.append(Candidate(encounter: encounter, identity: identity, samples: samples))
        }
    }
}

/// How many recorded encounters could have matched, and how many could not.
public struct SearchCounts: Equatable, Sendable {
    public var searched = 0
    /// They have no wall clock.
    public var undated = 0
    /// They are older than the scheme keeps them.
    public var expired = 0
    /// The log has lost whose they were.
    public var lost = 0
}
