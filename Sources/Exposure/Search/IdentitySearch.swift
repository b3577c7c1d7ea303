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
    public let counts: SearchCounts

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
        let places = Dictionary(grouping: heard.indices) { Self.prefix(of: heard[$0].identity) }
        for key in keys {
            do {
                try Searched.expand(key.key) { own in
                    for place in places[Self.prefix(of: own.identity)] ?? []
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

    /// The first eight bytes in memory; the identities of all schemes are at least as long.
    private static func prefix(of identity: some BitwiseCopyable) -> UInt64 {
        withUnsafeBytes(of: identity) { $0.loadUnaligned(as: UInt64.self) }
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
