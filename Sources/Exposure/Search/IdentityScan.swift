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
        let prefixes = try prefixes(published)
        var result = Result()
        var wanted: [Int64] = []
        // Encounters that began before the retention time ended: their samples say whether they count.
        var old: [Int64] = []
        let oldest = TimelinePoint(ContactRetention().limit(.scheme(SchemeCode(scheme)), now: now))
        try scan { recorded, identity in
            guard let identity else {
                result.counts.lost += 1
                return
            }
            guard recorded.isOnWallClock else {
                result.counts.undated += 1
                return
            }
            guard recorded.end >= oldest else {
                result.counts.expired += 1
                return
            }
            if recorded.start < oldest {
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
        return result
    }

    /// The prefixes that rule out nearly all encounters: those of all published identities, or, if these are
    /// more than the recorded ones, those of the published ones that were recorded.
    private func prefixes(_ published: Published) throws(ArchivedSearchError) -> PrefixSet {
        let recordedBound = try Self.reading { () throws(ArchiveError) in try archive.encounterCountBound() }
        var prefixes = PrefixSet(capacity: min(published.countBound, recordedBound))
        guard published.countBound > recordedBound else {
            try Self.forEach(published) { prefixes.insert($0) }
            return prefixes
        }
        var recorded = prefixes
        try scan { _, identity in
            if let identity { recorded.insert(PrefixSet.prefix(of: identity)) }
        }
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

    /// Calls `body` with each encounter of the scheme; with nil for a lost identity.
    private func scan(_ body: (RecordedIdentity, Identity?) -> Void) throws(ArchivedSearchError) {
        try Self.reading { () throws(ArchiveError) in
            try archive.forEachRecordedIdentity(of: SchemeCode(scheme), matching: filter) { recorded, bytes in
                if recorded.isLost {
                    body(recorded, nil)
                } else if let identity = read(bytes) {
                    body(recorded, identity)
                }
                return true
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
