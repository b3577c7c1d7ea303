import Archive
import EncounterLog
import FlashSimulator
import TestSupport
import Testing

/// Pages that somebody altered, moved or made, and the findings of `verify`.
@Suite struct VerifyForgeryTests {
    private let log: AlteredLog

    init() throws { log = try AlteredLog() }

    @Test(arguments: [true, false])
    func `a page that was cut out is missed`(withKey: Bool) throws {
        let place = log.pages[log.pages.count / 2]
        let result = try log.verify(
            withKey: withKey,
            log.inVictim { bytes in
                bytes.replaceSubrange(place.range, with: repeatElement(0xff, count: place.byteCount))
            })
        #expect(kinds(result) == [.pagesMissing])
        #expect(result.findings.first { $0.kind == .pagesMissing }?.lostEntryCount ?? 0 > 0)
    }

    /// On a medium with overwritable blocks, a page of the previous round means that nothing was written
    /// there since.
    @Test(arguments: [true, false])
    func `an old page in place of a new one is missed`(withKey: Bool) throws {
        let segmentCount = 4
        let board = try SealedBoard(segmentCount: segmentCount, unitByteCount: 1_024)
        var earlier: [UInt32: [UInt8]] = [:]
        for boot in 1...5 as ClosedRange<UInt64> {
            try board.run(
                boot: boot, sealedFor: log.ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: AlteredLog.trackCount))
            for part in board.segments where part.isComplete { earlier[part.ordinal] = part.bytes }
        }
        let victim = try #require(
            board.segments.dropFirst().first {
                $0.isComplete && earlier[$0.ordinal - UInt32(segmentCount)] != nil
            })
        let old = try #require(earlier[victim.ordinal - UInt32(segmentCount)])
        let block = 3 * 1_024..<4 * 1_024
        try board.fetch(into: log.archive) { ordinal, bytes in
            if ordinal == victim.ordinal { bytes.replaceSubrange(block, with: old[block]) }
        }
        let result = try log.archive.verify(board.identity, keys: withKey ? log.ownerKey.ownerKey : .none)
        #expect(kinds(result).contains(.pagesMissing), "\(result.findings)")
        #expect(kinds(result, from: .damage) == [.pagesMissing])
    }

    /// The exchanged pages get valid checksums.
    @Test(arguments: [true, false])
    func `exchanged pages are out of place`(withKey: Bool) throws {
        let all = log.pages.dropFirst(3)
        let (one, other) = try #require(
            all.lazy.compactMap { one in
                all.last { $0.byteCount == one.byteCount && $0.byteOffset > one.byteOffset }.map { (one, $0) }
            }.first)
        let result = try log.verify(
            withKey: withKey,
            log.inVictim { bytes in
                let first = Array(bytes[one.range])
                let second = Array(bytes[other.range])
                PageForge.change(&bytes, at: one, ordinal: log.victim.ordinal) { $0 = second }
                PageForge.change(&bytes, at: other, ordinal: log.victim.ordinal) { $0 = first }
            })
        #expect(result.severity == .forgery)
        #expect(kinds(result).contains(.outOfPlace), "\(result.findings)")
        #expect(kinds(result).contains(.forgedPages) == withKey)
    }

    @Test(arguments: [true, false])
    func `a page from another board is out of place`(withKey: Bool) throws {
        let other = try SealedBoard(firstIdentityByte: 77)
        for boot in 1...3 as ClosedRange<UInt64> {
            try other.run(
                boot: boot, sealedFor: log.ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: AlteredLog.trackCount))
        }
        let theirs = other.segments[log.victimIndex]
        let place = try #require(
            log.pages.dropFirst(4).first { mine in
                PageForge.pages(of: theirs.bytes, ordinal: theirs.ordinal, log.geometry).contains {
                    $0.byteOffset == mine.byteOffset && $0.byteCount == mine.byteCount
                }
            })
        let result = try log.verify(
            withKey: withKey,
            log.inVictim { $0.replaceSubrange(place.range, with: theirs.bytes[place.range]) })
        #expect(kinds(result).contains(.outOfPlace), "\(result.findings)")
        #expect(kinds(result).contains(.pagesMissing), "\(result.findings)")
    }

    @Test func `a segment of another board is foreign`() throws {
        let other = try SealedBoard(firstIdentityByte: 77)
        for boot in 1...3 as ClosedRange<UInt64> {
            try other.run(
                boot: boot, sealedFor: log.ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: AlteredLog.trackCount))
        }
        let result = try log.verify(log.inVictim { $0 = other.segments[log.victimIndex].bytes })
        #expect(kinds(result).contains(.foreign))
        #expect(result.severity == .forgery)
    }

    /// A forger creates pages encrypted for the right owner key, but signed with a key that is not the
    /// board's.
    @Test(arguments: [true, false])
    func `a segment header without the board's signature is forged`(withKey: Bool) throws {
        let forger = try SealedBoard(firstIdentityByte: log.board.firstIdentityByte)
        for boot in 1...3 as ClosedRange<UInt64> {
            try forger.run(
                boot: boot, sealedFor: log.ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: AlteredLog.trackCount))
        }
        let result = try log.verify(
            withKey: withKey, log.inVictim { $0 = forger.segments[log.victimIndex].bytes })
        #expect(kinds(result).contains(.forgedHeaders), "\(result.findings)")
        #expect(result.severity == .forgery)
    }

    @Test func `a page with a changed entry is forged`() throws {
        let place = log.pages[log.pages.count / 2]
        let result = try log.verify(
            log.inVictim { bytes in
                PageForge.change(&bytes, at: place, ordinal: log.victim.ordinal) { $0[$0.count - 30] ^= 1 }
            })
        #expect(kinds(result).contains(.forgedPages))
    }

    /// Segments are counted arithmetically; a loop over them would take minutes.
    @Test(arguments: [true, false])
    func `an invented ordinal far away counts as erased segments`(isOnlySegment: Bool) throws {
        let far: UInt32 = 4_000_000_000
        try log.board.fetch(into: log.archive, signsEnd: false, leavingOut: { _ in isOnlySegment })
        let place = try #require(log.pages.last)
        var bytes = log.victim.bytes
        PageForge.change(&bytes, at: place, ordinal: far) { page in
            for index in 8..<24 { page[index] = 0x5a }
        }
        try log.archive.append(bytes, at: 0, segment: far, of: log.board.identity)
        let last = try #require(log.board.segments.last)
        let missing = Int(far) - (isOnlySegment ? 0 : Int(last.ordinal) + 1)
        // The ring of 32 segments cannot have overwritten the 28 youngest of them.
        let found = try kinds(log.archive.verify(log.board.identity))
        let young = isOnlySegment ? 0 : 28
        #expect(found.contains(.overwritten(count: missing - young)))
        #expect(isOnlySegment || found.contains(.erasureUnproven(count: young)))

        var head = log.board.head
        head.position.segmentOrdinal = far
        try log.archive.record(log.manifest(head), of: log.board.identity)
        #expect(try kinds(log.archive.verify(log.board.identity)).contains(.segmentsMissing(count: missing)))
    }
}
