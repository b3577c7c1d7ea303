import EncounterLog
import FixedMemory
import TestSupport

/// Input: a byte of flags, then bytes. With flag 1 they are the entries of a page that is otherwise right; with flag 2
/// they are a whole page whose checksums are made right; without either they are a page as it stands.
enum LogPageTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let flags = script.byte()
        let bytes = script.rest()
        if flags & 1 != 0 {
            try read(page(entries: Array(bytes.prefix(1024 - PageHeader.byteCount))))
        } else if flags & 2 != 0, bytes.count >= PageHeader.byteCount {
            var page = bytes
            page.sealPage()
            try read(page)
        } else {
            try read(bytes)
        }
    }

    private static func page(entries: [UInt8]) -> [UInt8] {
        var page: [UInt8] = [0xd4, 0x54, 0x42, 0x4c, 1, 0, 10, 0] + Array(repeating: 0, count: 48)
        page.put(4, at: 8, byteCount: 4)
        page.put(8, at: 16, byteCount: 2)
        page.put(UInt64(entries.count), at: 20, byteCount: 2)
        page += entries
        page += Array(repeating: 0xff, count: 1024 - page.count)
        page.sealPage()
        return page
    }

    private static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let page = try? LogPage(bytes.span) else { return }
        var iterator = page.entries
        var entries: [LogEntry] = []
        var failures = 0
        while true {
            do throws(LogError) {
                guard let entry = try iterator.next() else { break }
                entries.append(entry)
            } catch {
                failures += 1
            }
            try require(2 * entries.count + failures <= page.header.entryByteCount, "an entry has two bytes")
        }
        try writeAgain(entries)
    }

    /// Entries that were read, appended to a new log, are read again from its pages.
    private static func writeAgain(_ entries: [LogEntry]) throws(FuzzFinding) {
        guard !entries.isEmpty,
            let geometry = FlashGeometry(pageByteCount: 4096, pagesPerSegment: 4, segmentCount: 2),
            var log = try? EncounterLog(
                mounting: MemoryFlash(geometry), newLogIdentity: Bytes<16>(), bootIdentifier: 1)
        else { return }
        for entry in entries {
            try require((try? log.append(entry, nowMilliseconds: 0)) != nil, "an entry is taken")
        }
        try require((try? log.commit()) != nil, "and committed")
        var again: [LogEntry] = []
        var bytes = [UInt8](repeating: 0, count: geometry.byteCount)
        var span = bytes.mutableSpan
        let count = (try? log.read(offset: 0, into: &span)) ?? 0
        for start in stride(from: 0, to: count, by: geometry.pageByteCount) {
            let piece = Array(bytes[start..<start + geometry.pageByteCount])
            guard let page = try? LogPage(piece.span) else {
                throw FuzzFinding(description: "our page is one")
            }
            var iterator = page.entries
            while let entry = try? iterator.next() { again.append(entry) }
        }
        try require(again == entries, "entries written and read are the same")
    }
}
