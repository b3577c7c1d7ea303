import EncounterLog
import FixedMemory
import TestSupport

/// Input: for each of 16 pages of 256 bytes what stands there: erased (0), zeros (1), bytes as they come (2), or else a
/// page of a log: segment (1), page index (1), boot (1), entries (chunk); then what is done with the log.
enum LogMountTarget {
    private static let geometry = FlashGeometry(pageByteCount: 256, pagesPerSegment: 4, segmentCount: 4)

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        guard let geometry else { return }
        var script = Script(input)
        var contents: [UInt8] = []
        for number in 0..<geometry.pageCount { contents += page(&script, number: number) }
        let flash = MemoryFlash(geometry, bytes: contents)
        guard var log = mount(flash) else { return }
        try readAll(&log)
        var appended: UInt64 = 0
        while !script.isAtEnd {
            let choice = script.byte()
            if choice & 7 == 0 {
                _ = try? log.commit()
            } else {
                let entry = AnchorEntry(
                    monotonicMilliseconds: appended, wallClockMilliseconds: UInt64(choice),
                    errorMilliseconds: 0,
                    source: .host)
                if (try? log.append(.anchor(entry), nowMilliseconds: appended)) != nil { appended += 1 }
            }
        }
        let isCommitted = (try? log.commit()) != nil
        let anchors = try readAll(&log)
        guard isCommitted, appended > 0 else { return }
        try require(
            anchors.last?.monotonicMilliseconds == appended - 1, "what was committed last is read last")
    }

    private static func page(_ script: inout Script, number: Int) -> [UInt8] {
        let kind = script.byte()
        switch kind {
        case 0: return Array(repeating: 0xff, count: 256)
        case 1: return Array(repeating: 0, count: 256)
        case 2:
            let bytes = script.chunk()
            return bytes + Array(repeating: 0xff, count: 256 - bytes.count)
        default:
            var page: [UInt8] = [0xd4, 0x54, 0x42, 0x4c, 1, 0, 8, 0] + Array(repeating: 0, count: 248)
            page.put(4, at: 8, byteCount: 4)
            // Most often where it belongs.
            let segment = UInt64(script.byte())
            let index = script.byte()
            page.put(kind & 1 == 0 ? segment : 4 * (segment / 4) + UInt64(number / 4), at: 12, byteCount: 4)
            page.put(4, at: 16, byteCount: 2)
            page.put(kind & 1 == 0 ? UInt64(index) : UInt64(number % 4), at: 18, byteCount: 2)
            page[24] = script.byte()
            let entries = Array(script.chunk().prefix(200))
            page.put(UInt64(entries.count), at: 20, byteCount: 2)
            page.replaceSubrange(56..<56 + entries.count, with: entries)
            if kind & 4 == 0 || kind < 4 { page.sealPage() }
            return page
        }
    }

    private static func mount(_ flash: MemoryFlash) -> EncounterLog<MemoryFlash>? {
        do throws(LogError) {
            return try EncounterLog(mounting: flash, newLogIdentity: Bytes<16>(), bootIdentifier: 9)
        } catch {
            return nil
        }
    }

    /// Every retained byte, once by segment and once as a whole. Returns the anchors of this boot.
    @discardableResult
    private static func readAll(_ log: inout EncounterLog<MemoryFlash>) throws(FuzzFinding) -> [AnchorEntry] {
        var bySegment: [UInt8] = []
        var last: UInt32?
        for index in 0..<log.retainedSegmentCount {
            guard let segment = log.retainedSegment(at: index) else {
                throw FuzzFinding(description: "there are as many segments as are counted")
            }
            if let last { try require(segment.ordinal > last, "ordinals grow") }
            last = segment.ordinal
            var bytes = [UInt8](repeating: 0, count: segment.byteCount)
            var span = bytes.mutableSpan
            let count = try? log.read(segment: segment.ordinal, offset: 0, into: &span)
            try require(count == segment.byteCount, "a segment is read whole")
            bySegment += bytes
        }
        var whole = [UInt8](repeating: 0, count: log.retainedByteCount)
        var span = whole.mutableSpan
        try require((try? log.read(offset: 0, into: &span)) == whole.count, "the log is read whole")
        try require(whole == bySegment, "the whole is its segments")
        return anchors(in: whole)
    }

    private static func anchors(in bytes: [UInt8]) -> [AnchorEntry] {
        var anchors: [AnchorEntry] = []
        for start in stride(from: 0, to: bytes.count, by: 256) {
            let piece = Array(bytes[start..<start + 256])
            guard let page = try? LogPage(piece.span), page.header.bootIdentifier == 9 else { continue }
            var iterator = page.entries
            while let entry = try? iterator.next() {
                if case .anchor(let anchor) = entry { anchors.append(anchor) }
            }
        }
        return anchors
    }
}
