import Archive
import EncounterLog
import FixedMemory
import Schemes

/// The encounters of a scheme that published keys can match, and counts of the others by reason.
struct SearchedEncounters<Identity> {
    struct Candidate {
        let encounter: Encounter
        let start: WallClockTime
        let identity: Identity
        /// The samples within the retention time; empty if the log has lost them.
        let samples: [Sample<WallClockTime>]
    }

    private(set) var candidates: [Candidate] = []
    private(set) var counts = SearchCounts()

    /// - Parameters:
    ///   - encounters: of any scheme; those of others are ignored.
    ///   - now: contacts beyond the retention time do not match.
    ///   - read: returns nil for an identity that cannot be a person's, such as a Herald venue. Such an
    ///     identity is neither searched nor lost. Lost are identities of which only the hash is left.
    init(
        _ encounters: [Encounter], of scheme: SchemeID, now: WallClockTime,
        read: (Span<UInt8>) -> Identity?
    ) {
        let oldest = TimelinePoint(ContactRetention().limit(.scheme(SchemeCode(scheme)), now: now))
        for encounter in encounters {
            guard let recorded = encounter.identity, recorded.scheme.id == scheme else { continue }
            guard recorded.lostHash == nil else {
                counts.lost += 1
                continue
            }
            guard let identity = read(recorded.payload.span) else { continue }
            guard let start = encounter.wallClockStart else {
                counts.undated += 1
                continue
            }
            let samples = encounter.samples.filter { $0.start >= oldest }.map { sample in
                sample.placed { WallClockTime(clamping: $0.milliseconds) }
            }
            guard !samples.isEmpty || encounter.samples.isEmpty && encounter.start >= oldest
            else {
                counts.expired += 1
                continue
            }
            counts.searched += 1
            if encounter.basis == .unchecked { counts.unchecked += 1 }
            candidates.append(
                Candidate(encounter: encounter, start: start, identity: identity, samples: samples))
        }
    }
}

/// The number of encounters that could match, and of those that could not, by reason.
public struct SearchCounts: Equatable, Sendable {
    public var searched = 0
    /// Encounters among the searched ones whose clock nobody checked, so that their times may be wrong.
    public var unchecked = 0
    /// Encounters without a wall clock.
    public var undated = 0
    /// Encounters beyond the scheme's retention time.
    public var expired = 0
    /// Encounters whose identity the log has lost.
    public var lost = 0

    static func += (sum: inout Self, other: Self) {
        sum.searched += other.searched
        sum.unchecked += other.unchecked
        sum.undated += other.undated
        sum.expired += other.expired
        sum.lost += other.lost
    }
}
