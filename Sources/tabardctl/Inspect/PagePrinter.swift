import Archive
import CommandLineText
import EncounterLog
import KeyFiles
import LogContents
import Reports

/// Lists pages, one a line or as a document, and counts them.
final class PagePrinter {
    private let showsEntries: Bool
    private let listing: Listing
    private(set) var documents: [LogDocument] = []
    private(set) var pageCount = 0
    private(set) var readablePageCount = 0
    private var damagedPageCount = 0
    private var blankPageCount = 0
    private var entryCount = 0
    private var lockedPageCount = 0
    private var hasHeading = false

    init(_ listing: Listing, showsEntries: Bool) {
        self.listing = listing
        self.showsEntries = showsEntries
    }

    /// Begins the log of another board.
    ///
    /// - Parameter board: nil for a file without a name of its board.
    func begin(log: LogIdentity?, of board: ArchivedBoard?) {
        documents.append(LogDocument(board: log?.hexadecimal, name: board?.name))
        if let board { line("board \(board.label), log \(board.identity.hexadecimal)") }
    }

    /// Prints the pages of one segment.
    ///
    /// - Parameter stored: the archive's data of the segment; nil for a log file.
    func print(_ segment: SegmentContents, _ stored: StoredSegment? = nil) {
        if let stored {
            let state =
                stored.isVerified ? "complete, verified" : stored.isComplete ? "complete" : "incomplete"
            line("segment \(stored.ordinal), \(stored.byteCount) bytes, \(state)")
        }
        if listing.format == .json, !documents.isEmpty {
            documents[documents.count - 1].segments.append(
                LogDocument.Segment(
                    segment: segment.ordinal, bytes: stored?.byteCount, isComplete: stored?.isComplete,
                    isVerified: stored?.isVerified,
                    pages: segment.pages.map { LogDocument.Page($0, withEntries: showsEntries) }))
        }
        var blankCount = 0
        for page in segment.pages {
            if page.damage == .blankPage {
                blankCount += 1
                continue
            }
            printBlank(&blankCount)
            print(page)
        }
        printBlank(&blankCount)
    }

    /// Prints a segment that was never written.
    func printBlank(blockCount: Int) {
        var count = blockCount
        printBlank(&count)
    }

    /// Writes the document, or the sums below the lines.
    func finish() throws(Failure) {
        guard listing.format == .table else {
            return try listing.write("the pages") { try PrintedJSON.data(rows: documents) }
        }
        line(summary)
        try listing.finish()
    }

    private var summary: String {
        var text = "\(Count.text(pageCount, "page")), \(Count.text(entryCount, "entry", "entries")), "
        text += "\(damagedPageCount) damaged"
        if lockedPageCount > 0 { text += ", \(lockedPageCount) locked (no key at hand)" }
        if blankPageCount > 0 { text += ", \(blankPageCount) blank" }
        return text
    }

    private func print(_ contents: PageContents) {
        pageCount += 1
        entryCount += contents.entries.count
        if contents.header != nil { readablePageCount += 1 }
        if contents.damage != nil { damagedPageCount += 1 }
        if contents.isLocked { lockedPageCount += 1 }
        if !hasHeading || showsEntries {
            line("  OFFSET  SEGMENT  BOOT              ENTRIES  BYTES  STATE")
        }
        hasHeading = true

        let cells = [
            Self.right("\(contents.byteOffset)", 8),
            Self.right(contents.segmentHeader.map { "\($0.segmentOrdinal)" } ?? "?", 7),
            contents.bootIdentifier.map(LogEntryText.boot) ?? String(repeating: "?", count: 16),
            Self.right(contents.isLocked ? "?" : "\(contents.entries.count)", 7),
            Self.right(contents.header == nil ? "?" : "\(contents.entryByteCount)", 5),
            state(contents),
        ]
        line(cells.joined(separator: "  "), indent: 50)
        if showsEntries {
            contents.entries.forEach { line("          \(LogEntryText.text($0))", indent: 22) }
        }
    }

    private func state(_ contents: PageContents) -> String {
        if let damage = contents.damage { return "DAMAGED: \(damage.sentence)" }
        if contents.redaction != nil { return "redacted: the operator removed entries" }
        if contents.isLocked {
            return "locked, owner key \(contents.sealedFor.map(Fingerprint.text) ?? "?")"
        }
        return contents.unknownEntryCount == 0
            ? "sound"
            : "sound, \(Count.text(contents.unknownEntryCount, "entry", "entries")) of a later version"
    }

    private func printBlank(_ count: inout Int) {
        if count > 0 { line("       -  \(count) blank") }
        blankPageCount += count
        count = 0
    }

    /// Prints a line for people; nothing if the output is a document.
    private func line(_ text: String, indent: Int = 4) {
        if listing.format == .table { listing.print(text, indent: indent) }
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
