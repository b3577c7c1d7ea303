import Archive
import EncounterLog

/// Prints pages one to a line, and counts them.
final class PagePrinter {
    private let showsEntries: Bool
    private(set) var pageCount = 0
    private(set) var readablePageCount = 0
    private var damagedPageCount = 0
    private var blankPageCount = 0
    private var entryCount = 0
    private var hasHeading = false

    init(showsEntries: Bool) { self.showsEntries = showsEntries }

    /// From the first page that can be read, wherever it stands; nil when none can.
    static func pageByteCount(of bytes: [UInt8]) -> Int? {
        for start in stride(from: 0, to: bytes.count, by: 256) {
            // Nothing but a header says how long pages are, and it starts with this byte.
            guard bytes[start] == 0xd4 else { continue }
            let end = min(start + PageHeader.byteCount, bytes.count)
            guard let header = PageContents(Array(bytes[start..<end])).header else { continue }
            return header.geometry.pageByteCount
        }
        return nil
    }

    func print(_ bytes: [UInt8], pageByteCount: Int) {
        var blankCount = 0
        for start in stride(from: 0, to: bytes.count, by: pageByteCount) {
            let page = Array(bytes[start..<min(start + pageByteCount, bytes.count)])
            let contents = PageContents(page)
            // Segments that were never begun still hold the zeros that the file was made of.
            if contents.damage == .blankPage || page.allSatisfy({ $0 == 0 }) {
                blankCount += 1
                continue
            }
            printBlank(&blankCount)
            print(contents)
        }
        printBlank(&blankCount)
    }

    var summary: String {
        var text = "\(pageCount) pages, \(entryCount) entries, \(damagedPageCount) damaged"
        if blankPageCount > 0 { text += ", \(blankPageCount) blank" }
        return text
    }

    private func print(_ contents: PageContents) {
        pageCount += 1
        entryCount += contents.entries.count
        if contents.damage == nil || !contents.entries.isEmpty { readablePageCount += 1 }
        if contents.damage != nil { damagedPageCount += 1 }
        if !hasHeading || showsEntries {
            Console.print("    PAGE  SEGMENT  BOOT              ENTRIES  BYTES  STATE")
        }
        hasHeading = true

        let header = contents.header
        let cells = [
            Self.right(header.map { "\($0.sequenceNumber)" } ?? "?", 8),
            Self.right(header.map { "\($0.segmentOrdinal)" } ?? "?", 7),
            header.map { LogEntryText.boot($0.bootIdentifier) } ?? String(repeating: "?", count: 16),
            Self.right("\(contents.entries.count)", 7),
            Self.right(header.map { "\($0.entryByteCount)" } ?? "?", 5),
            state(contents),
        ]
        Console.print(cells.joined(separator: "  "))
        if showsEntries { contents.entries.forEach { Console.print("          \(LogEntryText.text($0))") } }
    }

    private func state(_ contents: PageContents) -> String {
        if let damage = contents.damage { return "DAMAGED: \(damage.sentence)" }
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
