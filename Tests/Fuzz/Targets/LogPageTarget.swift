import EncounterLog
import FixedMemory
import TestSupport

/// The input is a byte of flags, then bytes. With flag 1 they are the entries of an otherwise valid page.
/// With flag 2 they are a whole page whose checksums the target corrects. Without either they are a raw
/// segment.
enum LogPageTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let flags = script.byte()
        let bytes = script.rest()
        if flags & 1 != 0 {
            try read(page(entries: Array(bytes.prefix(1000))))
        } else if flags & 2 != 0, bytes.count >= PageHeader.byteCount {
            var page = Array(bytes.prefix(1024))
            page.put(UInt64(page.count - PageHeader.byteCount), at: 2, byteCount: 2)
            page.sealPage(segment: 6, byteOffset: 0)
            try read(page)
        } else {
            try readSegment(bytes)
        }
    }

    private static func page(entries: [UInt8]) -> [UInt8] {
        var page: [UInt8] = [0xb2, 0, 0, 0, 0, 0, 0, 0] + entries
        page.put(UInt64(entries.count), at: 2, byteCount: 2)
        page.sealPage(segment: 6, byteOffset: 0)
        return page
    }

    /// Every byte must belong to exactly one place, and a place without a fault must be a page.
    private static func readSegment(_ bytes: [UInt8]) throws(FuzzFinding) {
        var reader = SegmentReader(bytes.span, ordinal: 6, unitByteCount: 16, blockByteCount: 1024)
        var end = 0
        while let place = reader.next() {
            try require(place.byteOffset >= end && place.byteCount > 0, "places follow one another")
            end = place.byteOffset + place.byteCount
            if place.fault == nil {
                try require(
                    (try? reader.page(at: place.byteOffset)) != nil, "a place without a fault is a page")
            }
        }
        try require(end <= bytes.count, "places do not go beyond the end")
    }

    private static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
        let position = LogPosition(segmentOrdinal: 6, byteOffset: 0)
        guard let page = try? LogPage(bytes.span, at: position) else { return }
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
            try require(2 * entries.count + failures <= page.entryByteCount, "an entry has two bytes")
        }
        try writeAgain(entries)
    }

    /// Appends the entries to a new log; its pages must give the same entries.
    private static func writeAgain(_ entries: [LogEntry]) throws(FuzzFinding) {
        guard !entries.isEmpty,
            let geometry = FlashGeometry(blockByteCount: 4096, blocksPerSegment: 4, segmentCount: 2),
            var log = try? EncounterLog(
                mounting: MemoryFlash(geometry), newLogIdentity: Bytes<16>(), bootIdentifier: 1)
        else { return }
        for entry in entries {
            try require((try? log.append(entry, now: 0)) != nil, "an entry is taken")
        }
        try require((try? log.commit()) != nil, "and committed")
        var bytes = [UInt8](repeating: 0, count: geometry.segmentByteCount)
        var span = bytes.mutableSpan
        let count = (try? log.read(segment: 0, offset: 0, into: &span)) ?? 0
        let read = ReadPages(segment: Array(bytes.prefix(count)), ordinal: 0, geometry: geometry)
        try require(read.errors.isEmpty, "our pages are pages")
        try require(read.entries == entries, "entries written and read are the same")
    }
}
