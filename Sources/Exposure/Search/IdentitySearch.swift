import Archive
import EncounterLog
import FixedMemory
import Schemes

/// A match: one encounter whose identity follows from a published key.
public struct IdentityMatch: Equatable, Sendable {
    public let encounter: Encounter
    /// The published key in hexadecimal, and its classification by the authority.
    public let key: String
    public let kind: String?
    /// The validity of the identity.
    public let validity: ValidityInterval
    /// The samples of the encounter within the validity, its tolerance and the retention time.
    public let samples: [Sample<WallClockTime>]
}

/// Finds recorded identities of a scheme that follow from published keys.
public struct IdentitySearch: Sendable {
    public let scheme: SchemeID
    public let toleranceSeconds: UInt64
    public let retentionDays: Int
    public let publishedKeyCount: Int
    /// In order of the encounters' starts.
    public private(set) var matches: [IdentityMatch] = []
    public private(set) var counts: SearchCounts

    /// - Parameters:
    ///   - encounters: of any scheme; those of others are ignored.
    ///   - now: contacts beyond the scheme's retention time do not match.
    public init<Searched: RecordedScheme>(
        _ encounters: [Encounter], for keys: [PublishedIdentityKey<Searched.PublishedKey>],
        of _: Searched.Type, now: WallClockTime
    ) throws(IdentitySearchError) {
        scheme = Searched.id
        toleranceSeconds = Searched.toleranceSeconds
        retentionDays = Searched.retentionDays
        publishedKeyCount = keys.count
        let recorded = SearchedEncounters(
            encounters, of: scheme, now: now
        ) { try? Searched.read($0) }
        counts = recorded.counts
        let heard = recorded.candidates
        // Indexed by a prefix of each identity, which rules out nearly all comparisons.
        let places = Dictionary(grouping: heard.indices) { PrefixSet.prefix(of: heard[$0].identity) }
        for key in keys {
            do {
                try Searched.expand(key.key) { own in
                    for place in places[PrefixSet.prefix(of: own.identity)] ?? []
                    where heard[place].identity == own.identity {
                        let counted = own.validity.widened(by: Searched.toleranceSeconds)
                        guard let samples = heard[place].samples(within: counted) else { continue }
                        matches.append(
                            IdentityMatch(
                                encounter: heard[place].encounter, key: key.text, kind: key.kind,
                                validity: own.validity, samples: samples))
                    }
                    return true
                }
            } catch {
                throw .cryptography
            }
        }
        matches.sort {
            ($0.encounter.start, $0.encounter.board.hexadecimal, $0.key)
                < ($1.encounter.start, $1.encounter.board.hexadecimal, $1.key)
        }
    }

    /// Searches an archive, of which only the encounters that may match are in memory.
    ///
    /// - Parameter filter: its boards, and whether written identities count; nothing else of it applies.
    public init<Searched: RecordedScheme>(
        _ archive: Archive, matching filter: EncounterFilter,
        for keys: [PublishedIdentityKey<Searched.PublishedKey>], of searched: Searched.Type,
        now: WallClockTime
    ) throws(ArchivedSearchError) {
        let scan = IdentityScan(archive: archive, scheme: Searched.id, filter: filter, now: now) {
            try? Searched.read($0)
        }
        let perKey: Int
        do { perKey = try keys.first.map { try Searched.identityCount(of: $0.key) } ?? 0 } catch {
            throw .cryptography
        }
        let found = try scan.search(
            for: .init(countBound: max(1, perKey) * keys.count) { visit in
                for key in keys {
                    try Searched.expand(key.key) { own in
                        visit(PrefixSet.prefix(of: own.identity))
                        return true
                    }
                }
            })
        do throws(IdentitySearchError) {
            try self.init(found.encounters, for: keys, of: searched, now: now)
        } catch {
            throw .cryptography
        }
        counts = found.counts
    }
}

extension SearchedEncounters.Candidate {
    /// The samples that began within the validity; nil if the encounter did not.
    fileprivate func samples(within validity: ValidityInterval) -> [Sample<WallClockTime>]? {
        let matching = samples.filter { validity.contains($0.start.seconds) }
        guard matching.isEmpty else { return matching }
        return samples.isEmpty && validity.contains(start.seconds) ? [] : nil
    }
}

public enum IdentitySearchError: Error, Equatable, Sendable {
    /// mbedTLS ran out of memory.
    case cryptography
}
