import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

/// A log on a medium that is overwritten without an erasure: a file or a block device.
@Suite struct OverwritingTests {
    private let medium = SimulatedMedium(.small(segments: 4), filledWith: 0, isOverwritable: true)

    // MARK: Writing and reading

    @Test func `each page is written once, and nothing else is written`() throws {
        var log = try mount(medium)
        for number in 0..<40 { try log.commitNumbered(number..<number + 1) }
        // Formatting erases the first slot.
        #expect(medium.eraseCount == 1)
        #expect(medium.programmedByteCount == 41 * 256)
    }

    /// The ring has 16 blocks; each mount happens at another point of a round.
    @Test func `the log's end is found in every block, whatever the block held before`() throws {
        for count in 1...60 {
            var log = try mount(medium, boot: UInt64(count))
            #expect(log.head.position.page == count - 1)
            let read = try ReadLog(&log)
            #expect(read.errors.isEmpty)
            #expect(read.numbers == Array(max(0, read.numbers.first ?? 0)..<count - 1))
            #expect(log.retainedByteCount == min(count, 12 + (count - 1) % 4 + 1) * 256)
            try log.commitNumbered(count - 1..<count)
        }
    }

    @Test func `stale blocks behind the last page are blank to a reader`() throws {
        var log = try mount(medium)
        for number in 0..<21 { try log.commitNumbered(number..<number + 1) }
        // 22 pages: segment 5 has two, segment 1 had four.
        let slot = Array(medium.bytes[1024..<2048])
        let read = ReadLog(segment: slot, ordinal: 5, geometry: medium.geometry)
        #expect(read.numbers == [19, 20])
        #expect(read.errors == [.blankPage, .blankPage])
    }

    @Test func `a stale page in place of a page is blank to a reader`() throws {
        var log = try mount(medium)
        for number in 0..<9 { try log.commitNumbered(number..<number + 1) }
        let before = medium.bytes
        for number in 9..<40 { try log.commitNumbered(number..<number + 1) }
        // The third page of segment 8, in slot 0, gets the contents of an earlier round.
        medium.bytes.replaceSubrange(512..<768, with: before[512..<768])
        let read = try ReadLog(&log)
        #expect(read.errors == [.blankPage])
        #expect(!read.numbers.contains(33))
        #expect(read.numbers.contains(32) && read.numbers.contains(34))
    }

    // MARK: Damage

    @Test func `a damaged last page of the log is not overwritten`() throws {
        for pages in 1...30 {
            let medium = SimulatedMedium(.small(segments: 4), filledWith: 0, isOverwritable: true)
            var log = try mount(medium)
            for number in 0..<pages { try log.commitNumbered(number..<number + 1) }
            // A damaged first page of a segment, with nothing behind it, looks like a page torn by a power
            // cut.
            guard pages % 4 > 0 else { continue }
            medium.flip(bit: 8 * 40, inBlock: pages % 16)
            var next = try mount(medium, boot: 2)
            try next.commitNumbered(pages..<pages + 1)
            let read = try ReadLog(&next)
            #expect(read.errors == [.damagedPage], "\(pages) pages")
            #expect(read.numbers.last == pages)
            #expect(!read.numbers.contains(pages - 1))
        }
    }

    @Test func `a first page damaged within its segment header is reported`() throws {
        var log = try mount(medium)
        for number in 0..<20 { try log.commitNumbered(number..<number + 1) }
        #expect(log.head.position.page == 20)
        medium.flip(bit: 8 * 20, inBlock: 4)
        let next = try mount(medium, boot: 2)
        let foundStaleBlocks = next.foundStaleBlocks
        #expect(foundStaleBlocks)
        #expect(next.head.position.page == 19)
    }

    @Test func `a segment whose first page could not be written is found by its second`() throws {
        var log = try mount(medium)
        for number in 0..<19 { try log.commitNumbered(number..<number + 1) }
        medium.programFails = { $0 == 4 }
        try log.commitNumbered(19..<20)
        var next = try mount(medium, boot: 2)
        let read = try ReadLog(&next)
        #expect(read.errors == [.blankPage])
        #expect(read.numbers == Array(7..<20))
        #expect(next.head == log.head)
    }

    @Test func `a stale page and a block of garbage do not pass for the log's end`() throws {
        var log = try mount(medium)
        for number in 0..<20 { try log.commitNumbered(number..<number + 1) }
        for index in 7 * 256..<8 * 256 { medium.bytes[index] = 0x5a }
        var next = try mount(medium, boot: 2)
        #expect(next.head == log.head)
        try next.commitNumbered(20..<24)
        let read = try ReadLog(&next)
        #expect(read.numbers.suffix(5) == [19, 20, 21, 22, 23])
        #expect(read.errors.isEmpty)
    }

    /// The log skips no more blocks in a row than mounting examines, including those skipped before the
    /// mount.
    @Test func `a page behind many failures, some of them before a restart, is found`() throws {
        let medium = SimulatedMedium(
            .blocks(of: 256, perSegment: 12, segments: 4), filledWith: 0, isOverwritable: true)
        var log = try mount(medium)
        for number in 0..<4 { try log.commitNumbered(number..<number + 1) }
        medium.programFails = { (5...6).contains($0) }
        #expect(throws: LogError.self) { try log.commitNumbered(90..<91) }
        // The failed writes tore these blocks.
        for index in 5 * 256..<7 * 256 { medium.bytes[index] = 0x5a }
        log = try mount(medium, boot: 2)
        medium.programFails = { (7...9).contains($0) }
        #expect(throws: LogError.self) { try log.commitNumbered(4..<5) }
        try log.commit()
        medium.programFails = { _ in false }
        var next = try mount(medium, boot: 3)
        #expect(next.head == log.head)
        try next.commitNumbered(5..<6)
        #expect(try ReadLog(&next).numbers == [0, 1, 2, 3, 4, 5])
    }

    // MARK: Erasing

    /// Ordinals of the pages on the medium, as an attacker would find them.
    private func ordinals() -> Set<UInt32> {
        var found: Set<UInt32> = []
        for block in 0..<16 {
            let bytes = Array(medium.bytes[block * 256..<block * 256 + 256])
            for ordinal in UInt32(0)..<20 {
                let position = LogPosition(segmentOrdinal: ordinal, byteOffset: UInt32(block % 4 * 256))
                if LogPage.isWhole(bytes.span, at: position) { found.insert(ordinal) }
            }
        }
        return found
    }

    @Test func `an erasure includes the stale blocks behind the newest segment`() throws {
        var log = try mount(medium)
        for number in 0..<20 { try log.commitNumbered(number..<number + 1) }
        #expect(ordinals() == [1, 2, 3, 4, 5])
        try log.eraseOldest(.command)
        #expect(ordinals() == [3, 4, 5])
        #expect(medium.eraseCount == 2)
        try log.commitNumbered(20..<23)
        var next = try mount(medium, boot: 2)
        let read = try ReadLog(&next)
        #expect(read.errors.isEmpty)
        #expect(read.numbers == Array(11..<23))
    }

    @Test func `stale blocks are erased for their age before any segment is`() throws {
        var log = try mount(medium)
        // Segment 2 begins on day 10, segment 3 on day 11 and so on.
        for number in 0..<20 {
            log.setDay(LogDay(rawValue: UInt8(8 + (number + 1) / 4)))
            try log.commitNumbered(number..<number + 1)
        }
        // Dates are for what earlier boots recorded.
        log = try mount(medium, boot: 2)
        log.setDay(LogDay(rawValue: 20))
        try log.eraseStaleBlocks(olderThanDays: 10, now: 100, start: 0)
        #expect(ordinals() == [1, 2, 3, 4, 5])
        try log.eraseStaleBlocks(olderThanDays: 9, now: 100, start: 0)
        #expect(ordinals() == [2, 3, 4, 5])
        let isOlder = log.isOldestOlder(thanDays: 9, now: 100, start: 0)
        #expect(!isOlder)
        // A second call writes nothing.
        let programs = medium.programCount
        try log.eraseStaleBlocks(olderThanDays: 9, now: 100, start: 0)
        #expect(medium.programCount == programs)
    }

    @Test func `a segment completed before its end has no stale blocks`()
        throws
    {
        var log = try mount(medium)
        for number in 0..<28 { try log.commitNumbered(number..<number + 1) }
        // Segment 7 has one page. The next segment may have been begun, so segment 7 counts as complete.
        #expect(log.head.position.page == 28)
        log.ring.map.leaveNewest()
        try log.commitNumbered(28..<29)
        let found = log.retainedSegment(ordinal: 7)
        let closed = try #require(found)
        #expect(closed.isComplete)
        let bytes = try log.bytes(of: closed)
        #expect(bytes[256...].allSatisfy { $0 == 0xff })
    }

    // MARK: Media written before overwriting

    @Test func `a log written on erased segments continues by overwriting`() throws {
        for pages in 1...24 {
            let erased = SimulatedMedium(.small(segments: 4), filledWith: 0)
            var log = try mount(erased)
            for number in 0..<pages { try log.commitNumbered(number..<number + 1) }
            let medium = SimulatedMedium(.small(segments: 4), isOverwritable: true)
            medium.bytes = erased.bytes
            var next = try mount(medium, boot: 2)
            #expect(next.head == log.head)
            let before = try ReadLog(&next)
            for number in pages..<pages + 3 { try next.commitNumbered(number..<number + 1) }
            let read = try ReadLog(&next)
            #expect(read.errors.isEmpty)
            #expect(before.numbers.last == pages - 1)
            #expect(read.numbers.last == pages + 2)
            #expect(medium.eraseCount == 0)
        }
    }

    // MARK: Power cuts

    /// Two and a half times round the ring.
    @Test(arguments: [0x00, 0xff] as [UInt8], TearKind.allCases)
    func `the log survives a power cut at every operation`(blank: UInt8, tear: TearKind) throws {
        // `make powercut` cuts every operation of larger logs.
        for seed in UInt64(1)...2 {
            var cuts = 0
            var isFinished = false
            while !isFinished {
                let medium = SimulatedMedium(
                    .small(segments: 4), filledWith: blank, isOverwritable: true)
                var script = Script(seed: seed, entriesPerCommit: 4)
                medium.cut = (cuts, tear.tear(seed: seed &* 1000 &+ UInt64(cuts)))
                script.run(on: medium, commits: 40)
                isFinished = medium.isPowered
                // Random bytes on a formerly blank medium could be anything, so mounting rightly refuses
                // them.
                if cuts < 2, tear.leavesRandomBits { cuts += 1; continue }
                try script.checkAfterCut(
                    medium, "seed \(seed), \(tear) at change \(cuts)", furtherCommits: 30)
                cuts += 1
            }
            #expect(cuts > 40)
        }
    }

    @Test func `the log survives a power cut at every byte of a segment's first page`() throws {
        let before = SimulatedMedium(.small(segments: 3), isOverwritable: true)
        var scriptBefore = Script(seed: 2, entriesPerCommit: 2)
        scriptBefore.run(on: before, commits: 11)
        for count in 0...256 {
            let medium = before.copy()
            var script = scriptBefore
            medium.cut = (0, .prefix(count))
            script.run(on: medium, commits: 3)
            #expect(!medium.isPowered)
            try script.checkAfterCut(medium, "cut after \(count) bytes", furtherCommits: 8)
        }
    }
}

extension LogPosition {
    /// The number, from 0, of the page that ends here, if each page is a block of 256 bytes and segments have
    /// four.
    fileprivate var page: Int { Int(segmentOrdinal) * 4 + (Int(byteOffset) - 1) / 256 }
}
