import EncounterLog
import FixedMemory

/// When and why entries were deliberately removed from a page.
public struct Redaction: Sendable, Hashable {
    /// Since 1970 UTC.
    public let wallClockMilliseconds: Int64
    /// The schemes whose retention time was over, by the labels of ``ContactKind``; nil if one person was to
    /// be forgotten.
    public let schemes: [String]?

    public init(wallClockMilliseconds: Int64, schemes: [String]?) {
        self.wallClockMilliseconds = wallClockMilliseconds
        self.schemes = schemes
    }
}

/// The stored rest of a page from which entries were deliberately removed. The page's first bytes, up to its
/// entries, stay in the segment.
struct RedactedPage: Sendable, Equatable {
    /// The latest redaction of the page.
    var redaction: Redaction
    /// The chain value after the page, as the board wrote it.
    var chainValue: Bytes<16>
    /// The remaining entries, with identities in full.
    var entries: [LogEntry]
    /// Removed identification entries that entries of other pages refer to, without encounter number and
    /// time.
    var identities: [EncounterIdentifiedEntry]
}

extension RedactedPage {
    /// Decodes the stored form.
    init(_ redaction: Redaction, chainValue: Bytes<16>, entries: [UInt8], identities: [UInt8]) {
        self.redaction = redaction
        self.chainValue = chainValue
        self.entries = Self.decoded(entries)
        self.identities = Self.decoded(identities).compactMap { entry in
            if case .encounterIdentified(let entry) = entry { entry } else { nil }
        }
    }

    var encodedEntries: [UInt8] { entries.flatMap(\.encoded) }

    var encodedIdentities: [UInt8] { identities.flatMap { LogEntry.encounterIdentified($0).encoded } }

    private static func decoded(_ bytes: [UInt8]) -> [LogEntry] {
        let span = bytes.span
        return EntryList(EntryIterator(span)).entries
    }
}
