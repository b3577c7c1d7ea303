import Archive
import EncounterLog
import KeyFiles
import LogContents

/// Prints pages, one a line, and counts them.
final class PagePrinter {
    private let showsEntries: Bool
    private(set) var pageCount = 0
    private(set) var readablePageCount = 0
    private var damagedPageCount = 0
    private var blankPageCount = 0
    private var entryCount = 0
    private var lockedPageCount = 0
    private var hasHeading = false

    init(showsEntries: Bool) { self.showsEntries = showsEntries }

    /// Prints the pages of one segment.
    func print(_ segment: SegmentContents) {
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

    var summary: String {
        var text = "\(pageCount) pages, \(entryCount) entries, \(damagedPageCount) damaged"
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
            Console.print("  OFFSET  SEGMENT  BOOT              ENTRIES  BYTES  STATE")
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
        Console.print(cells.joined(separator: "  "))
        if showsEntries { contents.entries.forEach { Console.print("          \(LogEntryText.text($0))") } }
    }

    private func state(_ contents: PageContents) -> String {
        if let damage = contents.damage { return "DAMAGED: \(damage.sentence)" }
        if contents.redaction != nil { return "redacted: the operator removed entries" }
        if contents.isLocked {
            return "locked, owner key \(contents.sealedFor.map(Fingerprint.text) ?? "?")"
        }
        return contents.unknownEntryCount == 0
            ? "sound" : "sound, \(contents.unknownEntryCount) entries of a later version"
    }

    private func printBlank(_ count: inout Int) {
        if count > 0 { Console.print("       -  \(count) blank") }
        blankPageCount += count
        count = 0
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
