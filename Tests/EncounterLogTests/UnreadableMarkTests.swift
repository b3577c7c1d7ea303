import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

/// Mounting recognises a segment by its first two pages. If neither can be read, the slot must not count as
/// free, because its pages were acknowledged.
@Suite struct UnreadableMarkTests {
    /// Ten pages, of which all but the first have one entry; the newest segment, in slot 2, has two pages.
    private func mediumOfTenPages(moreCommits: Int = 0) throws -> SimulatedMedium {
        let medium = SimulatedMedium(.small(segments: 6))
        var log = try mount(medium)
        for number in 0..<9 + moreCommits {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        return medium
    }

    @Test func `marks with transient bit errors are read again`() throws {
        let medium = try mediumOfTenPages()
        var reads = 0
        medium.flippedBit = { bitCount in
            reads += 1
            // Three of four reads.
            return reads % 4 == 0 ? nil : reads * 8 % bitCount
        }
        var log = try mount(medium)
        medium.flippedBit = { _ in nil }
        try log.appendNumbered(9..<10)
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(0..<10))
        #expect(medium.eraseCount == 2)
    }

    @Test func `a wrong bit in any one read of a mount costs nothing`() throws {
        var read = 0
        while true {
            // Two pages in the newest segment of sixteen blocks, so that mounting reads blank blocks, too.
            let medium = SimulatedMedium(.blocks(of: 256, perSegment: 16, segments: 4))
            var log = try mount(medium)
            try log.appendNumbered(0..<1)
            try log.commit()
            medium.resetCounts()
            medium.flippedBit = { bitCount in medium.readCount == read + 1 ? bitCount / 2 + 3 : nil }
            log = try mount(medium)
            medium.flippedBit = { _ in nil }
            let hasFlipped = medium.readCount > read
            for number in 1..<3 {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
                log = try mount(medium)
            }
            #expect(try ReadLog(&log).numbers == Array(0..<3), "bit \(read)")
            guard hasFlipped else { break }
            read += 1
        }
        #expect(read > 8)
    }

    /// Another bit in every read, or the same one in two of three.
    @Test(arguments: [false, true])
    func `wrong bits in several reads of a blank block do not make it pass for written`(isSame: Bool) throws {
        let medium = SimulatedMedium(.blocks(of: 256, perSegment: 16, segments: 4))
        var log = try mount(medium)
        try log.appendNumbered(0..<1)
        try log.commit()
        medium.flippedBit = { bitCount in
            guard bitCount == 64 else { return nil }
            guard isSame else { return medium.readCount % 64 }
            return medium.readCount % 3 == 0 ? nil : 13
        }
        log = try mount(medium, boot: 2)
        medium.flippedBit = { _ in nil }
        try log.appendNumbered(1..<2)
        try log.commit()
        #expect(log.head.position.byteOffset / 256 == 2)
    }

    /// A bit flips in a blank block and flips back after the next mount.
    @Test(arguments: 2..<15) func `the log continues behind a blank block that once passed for written`(
        block: Int
    ) throws {
        let medium = SimulatedMedium(.blocks(of: 256, perSegment: 16, segments: 4))
        var log = try mount(medium)
        try log.appendNumbered(0..<1)
        try log.commit()
        let before = log.head
        medium.flip(bit: 5, inBlock: block)
        log = try mount(medium, boot: 2)
        #expect(log.head == before)
        try log.appendNumbered(1..<2)
        try log.commit()
        let head = log.head
        medium.flip(bit: 5, inBlock: block)
        log = try mount(medium, boot: 3)
        #expect(log.head == head)
        try log.appendNumbered(2..<3)
        try log.commit()
        #expect(try ReadLog(&log).numbers == Array(0..<3))
    }

    /// On an overwritten medium only its checksum shows what a block holds.
    @Test(arguments: 0..<4 as Range<Int>)
    func `wrong bits in most reads let no page be overwritten and no block be skipped`(phase: Int)
        throws
    {
        let medium = SimulatedMedium(
            .blocks(of: 256, perSegment: 16, segments: 4), filledWith: 0, isOverwritable: true)
        var log = try mount(medium)
        for number in 0..<6 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        var reads = phase
        medium.flippedBit = { bitCount in
            reads += 1
            return bitCount == 256 * 8 && reads % 4 != 0 ? 100 : nil
        }
        log = try mount(medium, boot: 2)
        try log.appendNumbered(6..<7)
        try log.commit()
        #expect(log.head.position.byteOffset / 256 == 7)
        medium.flippedBit = { _ in nil }
        log = try mount(medium, boot: 3)
        #expect(try ReadLog(&log).numbers == Array(0..<7))
    }

    @Test func `marks with transient read failures are read again`() throws {
        let medium = try mediumOfTenPages()
        var reads = 0
        medium.readFails = { _ in
            reads += 1
            return reads % 3 != 0
        }
        var log = try mount(medium)
        medium.readFails = { _ in false }
        try log.appendNumbered(9..<10)
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(0..<10))
    }

    @Test(arguments: 0..<3) func `a segment with both marks damaged is found by its other pages`(slot: Int)
        throws
    {
        let medium = try mediumOfTenPages(moreCommits: 1)
        for page in 0..<2 { medium.flip(bit: 77, inBlock: slot * 4 + page) }
        var log = try mount(medium)
        let segments = log.retainedSegmentCount
        #expect(segments == 3)
        try log.appendNumbered(10..<11)
        try log.commit()
        var again = try mount(medium, boot: 2)
        let read = try ReadLog(&again)
        #expect(read.errors.count { $0 == .damagedPage } == 2)
        #expect(read.numbers.suffix(1) == [10])
        // The page of formatting has no entry.
        #expect(read.numbers.count == 11 - (slot == 0 ? 1 : 2))
    }

    @Test func `an unreadable slot is skipped until the ring's next round`() throws {
        let medium = try mediumOfTenPages()
        medium.readFails = { (8..<12).contains($0) }
        do {
            var log = try mount(medium, boot: 2)
            try log.appendNumbered(9..<10)
            try log.commit()
            let ordinals = (0..<4).map { log.retainedSegment(at: $0)?.ordinal }
            #expect(ordinals == [0, 1, 3, nil])
        }
        medium.readFails = { _ in false }
        var log = try mount(medium, boot: 3)
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(0..<10))
    }

    @Test func `a device with many unreadable slots is left unchanged`() throws {
        let medium = try mediumOfTenPages()
        let changes = medium.changeCount
        medium.readFails = { $0 >= 8 }
        #expect(throws: LogError.flash(FlashError(.read, code: SimulatedMedium.failure))) {
            _ = try mount(medium)
        }
        #expect(medium.changeCount == changes)
    }

    @Test func `unreadable slots elsewhere in the ring cost nothing`() throws {
        let medium = try mediumOfTenPages()
        medium.readFails = { $0 < 4 || $0 >= 20 }
        var log = try mount(medium)
        medium.readFails = { _ in false }
        for number in 9..<20 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(3..<20))
    }
}
