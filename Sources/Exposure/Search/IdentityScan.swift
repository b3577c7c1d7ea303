import Archive
import EncounterLog
import FixedMemory
import Schemes

/// Goes through the stored encounters of a scheme, and keeps those that published identities may match.
/// Only these are then read with their samples, so a search costs as much memory as its smaller side: the
/// published identities, or the recorded ones.
struct IdentityScan<Identity: BitwiseCopyable> {
    let archive: Archive
    let scheme: SchemeID
    /// The boards, and whether written identities count.
    let filter: EncounterFilter
    let now: WallClockTime
    /// Nil for an identity that cannot be a person's; it is neither searched nor lost.
    let read: (Span<UInt8>) -> Identity?

    /// The published identities, by the first eight bytes of each.
    struct Published {
        /// At least as many as there are.
        let countBound: Int
        /// Calls its argument with the first eight bytes of each.
        let forEach: ((UInt64) -> Void) throws -> Void
    }

    struct Result {
        var counts = SearchCounts()
        /// The encounters that may match, with their samples.
        var encounters: [Encounter] = []
    }

    func search(for published: Published) throws(ArchivedSearchError) -> Result {
        let oldest = ContactRetention().limit(.scheme(SchemeCode(scheme)), now: now)
        let prefixes = try prefixes(published, since: oldest)
        var result = Result()
        var wanted: [Int64] = []
        // Encounters that began before the retention time ended: their samples say whether they count.
        var old: [Int64] = []
        try scan(since: oldest) { recorded, identity in
            if recorded.start < TimelinePoint(oldest) {
                old.append(recorded.row)
            } else {
                result.counts.searched += 1
                if recorded.isUnchecked { result.counts.unchecked += 1 }
            }
            if prefixes.contains(PrefixSet.prefix(of: identity)) { wanted.append(recorded.row) }
        }
        result.encounters = try Self.reading { () throws(ArchiveError) in try archive.encounters(rows: wanted)
        }
        let straddling = try Self.reading { () throws(ArchiveError) in try archive.encounters(rows: old) }
        result.counts += SearchedEncounters(straddling, of: scheme, now: now, read: read).counts
        try countOthers(&result.counts, since: oldest)
        return result
    }

    /// Counts the encounters that cannot match.
    private func countOthers(
        _ counts: inout SearchCounts, since oldest: WallClockTime
    ) throws(ArchivedSearchError) {
        try Self.reading { () throws(ArchiveError) in
            try archive.forEachUnsearchableIdentity(
                of: SchemeCode(scheme), matching: filter, since: oldest
            ) { reason, bytes in
                switch reason {
                case .lost: counts.lost += 1
                case .undated: counts.undated += read(bytes) == nil ? 0 : 1
                case .expired: counts.expired += read(bytes) == nil ? 0 : 1
                }
            }
        }
    }

    /// The prefixes that rule out nearly all encounters: those of all published identities, or, if these are
    /// more than the recorded ones, those of the published ones that were recorded.
    private func prefixes(
        _ published: Published, since oldest: WallClockTime
    ) throws(ArchivedSearchError) -> PrefixSet {
        let recordedCount = try Self.reading { () throws(ArchiveError) in
            try archive.recordedIdentityCount(of: SchemeCode(scheme), matching: filter, since: oldest)
        }
        var prefixes = PrefixSet(capacity: min(published.countBound, recordedCount))
        guard published.countBound > recordedCount else {
            try Self.forEach(published) { prefixes.insert($0) }
            return prefixes
        }
        var recorded = prefixes
        try scan(since: oldest) { _, identity in recorded.insert(PrefixSet.prefix(of: identity)) }
        try Self.forEach(published) { prefix in
            if recorded.contains(prefix) { prefixes.insert(prefix) }
        }
        return prefixes
    }

    private static func forEach(
        _ published: Published, _ body: (UInt64) -> Void
    ) throws(ArchivedSearchError) {
        do { try published.forEach(body) } catch { throw .cryptography }
    }

    /// Calls `body` with each encounter of the scheme that may match by its time.
    private func scan(
        since oldest: WallClockTime, _ body: (RecordedIdentity, Identity) -> Void
    ) throws(ArchivedSearchError) {
        try Self.reading { () throws(ArchiveError) in
            try archive.forEachRecordedIdentity(
                of: SchemeCode(scheme), matching: filter, since: oldest
            ) { recorded, bytes in
                if let identity = read(bytes) { body(recorded, identity) }
            }
        }
    }

    private static func reading<Value>(
        _ work: () throws(ArchiveError) -> Value
    ) throws(ArchivedSearchError) -> Value {
        do throws(ArchiveError) { return try work() } catch { throw .archive(error) }
    }
}

/// The reason why a search of an archive failed.
public enum ArchivedSearchError: Error, Equatable, Sendable {
    case archive(ArchiveError)
    /// libcrypto or mbedTLS ran out of memory.
    case cryptography
}
