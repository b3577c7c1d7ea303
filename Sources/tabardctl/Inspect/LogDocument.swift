import Archive
import EncounterLog
import KeyFiles
import LogContents
import Reports

/// A log page by page, as `tabardctl inspect --json` prints it. Later versions only add fields; they never
/// rename or remove one.
struct LogDocument: PrintedRow {
    static let schema = PrintedSchema("pages")

    struct Segment: Encodable {
        let segment: UInt32
        /// The fetched bytes; null for a log file.
        @NullIfUnknown var bytes: Int?
        @NullIfUnknown var isComplete: Bool?
        @NullIfUnknown var isVerified: Bool?
        let pages: [Page]
    }

    struct Page: Encodable {
        /// From the start of the segment.
        let byteOffset: Int
        @NullIfUnknown var boot: String?
        /// `sound`, `damaged`, `redacted`, `locked` or `blank`.
        let state: String
        @NullIfUnknown var damage: String?
        /// The fingerprint of the owner key for which the page is encrypted.
        @NullIfUnknown var ownerKey: String?
        /// Null for a locked page.
        @NullIfUnknown var entries: Int?
        @NullIfUnknown var entryBytes: Int?
        /// The number of entries of a later version.
        let unknownEntries: Int
        /// One line for people for each entry; null without --entries.
        @NullIfUnknown var entryTexts: [String]?
    }

    /// The log's identity; null if no page of a file has it.
    @NullIfUnknown var board: String?
    /// The operator's name for the board.
    @NullIfUnknown var name: String?
    var segments: [Segment] = []
}

extension LogDocument.Page {
    init(_ page: PageContents, withEntries: Bool) {
        byteOffset = page.byteOffset
        boot = page.bootIdentifier.map(TimeText.boot)
        state =
            switch page.damage {
            case .blankPage?: "blank"
            case .some: "damaged"
            case nil: page.redaction != nil ? "redacted" : page.isLocked ? "locked" : "sound"
            }
        damage = page.damage?.sentence
        ownerKey = page.sealedFor.map(Fingerprint.text)
        entries = page.isLocked ? nil : page.entries.count
        entryBytes = page.header == nil ? nil : page.entryByteCount
        unknownEntries = page.unknownEntryCount
        entryTexts = withEntries ? page.entries.map(LogEntryText.text) : nil
    }
}
