import EncounterLog
import FixedMemory
import TestSupport

/// The input describes the contents of 16 blocks of 256 bytes: erased (0), zeros (1), raw bytes (2), or
/// otherwise a log page. A page is segment (1), block (1), boot (1), entries (chunk). The rest of the input
/// is a list of operations on the log.
enum LogMountTarget {
    private static let geometry = FlashGeometry(blockByteCount: 256, blocksPerSegment: 4, segmentCount: 4)

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        guard let geometry else { return }
        var script = Script(input)
        var contents: [UInt8] = []
        for number in 0..<geometry.blockCount { contents += page(&script, number: number) }
        let flash = MemoryFlash(geometry, bytes: contents)
        guard var log = mount(flash) else { return }
        try readAll(&log)
        var appended = Instant.start
        while !script.isAtEnd {
            let choice = script.byte()
            if choice & 7 == 0 {
                _ = try? log.commit()
            } else {
                let entry = AnchorEntry(
                    instant: appended, wallClock: WallClockTime(milliseconds: UInt64(choice)),
                    errorMilliseconds: 0, source: .host)
                if (try? log.append(.anchor(entry), now: appended)) != nil { appended += 1 }
            }
        }
        let isCommitted = (try? log.commit()) != nil
        let anchors = try readAll(&log)
        guard isCommitted, appended > 0 else { return }
        try require(anchors.last?.instant == appended - 1, "what was committed last is read last")
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
            // Most pages are placed where they belong.
            let chosen = UInt32(script.byte())
            let index = Int(script.byte())
            let segment = kind & 1 == 0 ? chosen : 4 * (chosen / 4) + UInt32(number / 4)
            let byteOffset = (kind & 1 == 0 ? index : number % 4) * 256
            let boot = script.byte()
            let hasHeader = kind & 8 == 0 || number % 4 < 2
            var page: [UInt8] = [0xb2, hasHeader ? 2 : 0, 0, 0, 0, 0, 0, 0]
            if hasHeader {
                page += [UInt8].logHeader(
                    segment: segment, blockBits: 8, blocksPerSegment: 4, segmentCount: 4, boot: boot)
            }
            page += script.chunk().prefix(160)
            page.put(UInt64(page.count - PageHeader.byteCount), at: 2, byteCount: 2)
            if kind & 4 == 0 || kind < 4 { page.sealPage(segment: segment, byteOffset: byteOffset) }
            return page + Array(repeating: 0xff, count: 256 - page.count)
        }
    }

    private static func mount(_ flash: MemoryFlash) -> EncounterLog<MemoryFlash>? {
        do throws(LogError) {
            return try EncounterLog(mounting: flash, newLogIdentity: Bytes<16>(), bootIdentifier: 9)
        } catch {
            return nil
        }
    }

    /// Reads every retained byte, once by segment and once as a whole, and returns the anchors of this boot.
    @discardableResult
    private static func readAll(_ log: inout EncounterLog<MemoryFlash>) throws(FuzzFinding) -> [AnchorEntry] {
        var bySegment: [UInt8] = []
        var anchors: [AnchorEntry] = []
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
            let read = ReadPages(segment: bytes, ordinal: segment.ordinal, geometry: log.geometry)
            for page in read.pages where page.segmentHeader?.bootIdentifier == 9 {
                for case .anchor(let anchor) in page.entries { anchors.append(anchor) }
            }
        }
        var whole = [UInt8](repeating: 0, count: log.retainedByteCount)
        var span = whole.mutableSpan
        try require((try? log.read(offset: 0, into: &span)) == whole.count, "the log is read whole")
        try require(whole == bySegment, "the whole is its segments")
        return anchors
    }
}
