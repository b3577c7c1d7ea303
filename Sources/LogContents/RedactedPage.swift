import EncounterLog
import FixedMemory

/// When and why entries were deliberately removed from a page.
public struct Redaction: Sendable, Hashable {
    public let time: WallClockTime
    /// The schemes whose retention time was over, by the labels of Archive's `ContactKind`; nil if the
    /// contacts of one person were removed.
    public let schemes: [String]?

    public init(time: WallClockTime, schemes: [String]?) {
        self.time = time
        self.schemes = schemes
    }
}

/// The rest of a page from which an archive deliberately removed entries. The page's first bytes, up to its
/// entries, are still in their place.
package struct RedactedPage: Sendable, Equatable {
    /// The latest removal.
    package var redaction: Redaction
    /// The chain value after the page as the board wrote it.
    package var chainValue: Bytes<16>
    /// The remaining entries, with identities in full.
    package var entries: [LogEntry]
    /// Removed entries with identities to which entries of other pages refer; without encounter and time.
    package var identities: [EncounterIdentifiedEntry]
    /// Whether this computer removed the entries, so that the rest is what the board wrote.
    package var isProven = true

    package init(
        redaction: Redaction, chainValue: Bytes<16>, entries: [LogEntry],
        identities: [EncounterIdentifiedEntry]
    ) {
        self.redaction = redaction
        self.chainValue = chainValue
        self.entries = entries
        self.identities = identities
    }
}

extension RedactedPage {
    /// Decodes the stored form.
    package init(_ redaction: Redaction, chainValue: Bytes<16>, entries: [UInt8], identities: [UInt8]) {
        self.redaction = redaction
        self.chainValue = chainValue
        self.entries = Self.decoded(entries)
        self.identities = Self.decoded(identities).compactMap { entry in
            if case .encounterIdentified(let entry) = entry { entry } else { nil }
        }
    }

    package var encodedEntries: [UInt8] { entries.flatMap(\.encoded) }

    package var encodedIdentities: [UInt8] { identities.flatMap { LogEntry.encounterIdentified($0).encoded } }

    private static func decoded(_ bytes: [UInt8]) -> [LogEntry] {
        let span = bytes.span
        return EntryList(EntryIterator(span)).entries
    }
}
