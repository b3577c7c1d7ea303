import Archive
import EncounterLog
import FixedMemory
import Schemes

/// That a board met somebody whose identity an authority has given away afterwards.
public struct IdentityMatch: Equatable, Sendable {
    public let encounter: Encounter
    /// The published key, in hexadecimal, and what is said of it.
    public let key: String
    public let kind: String?
    /// When the identity was its owner's.
    public let validity: ValidityInterval
    /// Of the encounter, those heard then, within the tolerance, and not too long ago.
    public let samples: [Sample]
}

/// Finds in what boards recorded of a scheme the identities of published keys.
public struct IdentitySearch: Sendable {
    public let scheme: SchemeID
    public let toleranceSeconds: UInt64
    public let retentionDays: Int
    public let publishedKeyCount: Int
    /// By encounters' beginnings.
    public private(set) var matches: [IdentityMatch] = []
    public let counts: SearchCounts

    /// - Parameters:
    ///   - encounters: of any scheme; others are passed over.
    ///   - nowMilliseconds: since 1970; what was heard longer ago than the scheme's phones keep it does not match.
    public init<Searched: RecordedScheme>(
        _ encounters: [Encounter], for keys: [PublishedIdentityKey<Searched.PublishedKey>],
        of _: Searched.Type, nowMilliseconds: Int64
    ) throws(IdentitySearchError) {
        scheme = Searched.id
        toleranceSeconds = Searched.toleranceSeconds
        retentionDays = Searched.retentionDays
        publishedKeyCount = keys.count
        let recorded = SearchedEncounters(
            encounters, of: scheme, retentionDays: retentionDays, nowMilliseconds: nowMilliseconds
        ) { try? Searched.read($0) }
        counts = recorded.counts
        let heard = recorded.candidates
        // By a part of each identity, which is enough to pass over nearly all.
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
            ($0.encounter.startMilliseconds, $0.encounter.board.hexadecimal, $0.key)
                < ($1.encounter.startMilliseconds, $1.encounter.board.hexadecimal, $1.key)
        }
    }

    /// The first eight bytes as they lie in memory. All schemes' identities have as many.
    private static func prefix(of identity: some BitwiseCopyable) -> UInt64 {
        withUnsafeBytes(of: identity) { $0.loadUnaligned(as: UInt64.self) }
    }
}

extension SearchedEncounters.Candidate {
    /// Those of the samples that began then; nil where nothing did.
    fileprivate func samples(within validity: ValidityInterval) -> [Sample]? {
        let matching = samples.filter { validity.contains(UInt64($0.startMilliseconds / 1_000)) }
        guard matching.isEmpty else { return matching }
        let start = UInt64(max(0, encounter.startMilliseconds) / 1_000)
        return samples.isEmpty && validity.contains(start) ? [] : nil
    }
}

public enum IdentitySearchError: Error, Equatable, Sendable {
    /// mbedTLS had no memory left.
    case cryptography
}
