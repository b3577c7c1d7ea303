import Cryptography
import EncounterLog
import FixedMemory
import FlashSimulator
import Simulator
import TestSupport

/// The input is a byte of flags, then changes to a segment of sealed pages. A change is an offset (2) and a
/// byte (1) that is combined with the byte there by exclusive or. With flag 1 the target then corrects the
/// checksums, as a forger would.
///
/// After any change the owner key must only open pages that are exactly as the board wrote them.
enum SealedPageTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        guard let sealed = Sealed.made else { throw FuzzFinding(description: "nothing could be sealed") }
        var script = Script(input)
        let flags = script.byte()
        var bytes = sealed.bytes
        var changes = 0
        while !script.isAtEnd, changes < 16 {
            changes += 1
            bytes[Int(script.word()) % bytes.count] ^= script.byte()
        }
        if flags & 1 != 0 {
            for offset in sealed.pageOffsets {
                let range = offset..<Self.pageEnd(bytes, at: offset)
                // The changed length may exceed the segment.
                guard range.upperBound <= bytes.count else { continue }
                var page = Array(bytes[range])
                page.sealPage(segment: 0, byteOffset: offset)
                bytes.replaceSubrange(range, with: page)
            }
        }
        let opened = try open(bytes, sealed)
        try require(bytes != sealed.bytes || opened == sealed.entries.count, "what was not changed is opened")
    }

    /// Returns the end of the page according to its header.
    private static func pageEnd(_ bytes: [UInt8], at offset: Int) -> Int {
        offset + PageHeader.byteCount + Int(bytes[offset + 2]) + Int(bytes[offset + 3]) << 8
    }

    /// Opens the pages and returns the number of opened ones.
    private static func open(_ bytes: [UInt8], _ sealed: Sealed) throws(FuzzFinding) -> Int {
        var reader = SegmentReader(
            bytes.span, ordinal: 0, unitByteCount: sealed.geometry.unitByteCount,
            blockByteCount: sealed.geometry.blockByteCount)
        var segmentHeader: SegmentHeader?
        var opened = 0
        while let place = reader.next() {
            guard place.fault == nil, let page = try? reader.page(at: place.byteOffset) else { continue }
            segmentHeader = page.segmentHeader ?? segmentHeader
            guard page.header.isSealed, let segmentHeader else { continue }
            guard let entries = try? sealed.pair.entries(of: page, of: segmentHeader) else { continue }
            let range = place.byteOffset..<place.byteOffset + page.byteCount
            try require(range.upperBound <= bytes.count, "a page ends where its segment does")
            try require(bytes[range] == sealed.bytes[range], "only what was sealed is opened")
            try require(entries == sealed.entries[place.byteOffset], "and says what was sealed")
            opened += 1
        }
        return opened
    }

    /// The pages that a board wrote, and the owner key that opens them.
    private struct Sealed {
        let geometry: FlashGeometry
        let pair: OwnerKeyPair
        let source: SeededEntropy
        var bytes: [UInt8]
        var entries: [Int: [LogEntry]] = [:]
        var pageOffsets: [Int] { entries.keys.sorted() }

        nonisolated(unsafe) static let made = try? Sealed()

        init() throws {
            let source = SeededEntropy(RandomStream(seed: 1))
            self.source = source
            pair = try OwnerKeyPair(entropy: source.entropy)
            guard let geometry = FlashGeometry(blockByteCount: 1024, blocksPerSegment: 4, segmentCount: 4)
            else {
                throw FuzzFinding(description: "no geometry")
            }
            self.geometry = geometry
            let scalar = try P256PrivateKey(entropy: source.entropy).scalarBytes()
            var log = try EncounterLog(
                mounting: MemoryFlash(geometry), newLogIdentity: Bytes<16>(), bootIdentifier: 1,
                seal: LogSeal(ownerKey: pair.publicKey, boardScalar: scalar, entropy: source.entropy))
            for number in 0..<40 as Range<UInt64> {
                try log.append(
                    .anchor(
                        AnchorEntry(
                            instant: Instant(milliseconds: number), wallClock: WallClockTime(seconds: number),
                            errorMilliseconds: 0, source: .host)), now: Instant(milliseconds: number))
                if number % 8 == 7 { try log.commit() }
            }
            bytes = [UInt8](repeating: 0, count: geometry.segmentByteCount)
            var span = bytes.mutableSpan
            let count = try log.read(segment: 0, offset: 0, into: &span)
            bytes = Array(bytes.prefix(count))
            for page in ReadPages(segment: bytes, ordinal: 0, geometry: geometry, keys: [pair]).pages {
                entries[Int(page.position.byteOffset)] = page.entries
            }
        }
    }
}
