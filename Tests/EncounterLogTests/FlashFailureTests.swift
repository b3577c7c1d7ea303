import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct FlashFailureTests {
    let programFailed = LogError.flash(FlashError(.program, code: SimulatedMedium.failure))

    @Test(arguments: [false, true]) func `a page that fails once is written to the next place at once`(
        lands: Bool
    ) throws {
        for page in 1..<12 {
            let medium = SimulatedMedium(.small(segments: 4))
            medium.programFails = { $0 == page }
            medium.failingProgramLands = lands
            var log = try mount(medium)
            for number in 0..<14 {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
            }
            #expect(log.counters.flashFailures == 1)
            var again = try mount(medium)
            for read in [try ReadLog(&log), try ReadLog(&again)] {
                // A page that landed although its program reported failure is there twice.
                #expect(Set(read.numbers) == Set(0..<14), "page \(page)")
                #expect(read.numbers.count == (lands ? 15 : 14), "page \(page)")
            }
        }
    }

    @Test func `while the flash fails, entries wait in memory until it is full`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        medium.programFails = { _ in true }
        try log.appendNumbered(0..<3)
        #expect(throws: programFailed) { try log.commit() }
        #expect(log.openEntryCount == 3)
        #expect(log.oldestOpenEntry == 0)
        var taken = 3
        #expect(throws: programFailed) {
            while true {
                try log.appendNumbered(taken..<taken + 1)
                taken += 1
            }
        }
        #expect(log.openEntryCount == taken)
        #expect(log.counters.refusedEntries == 1)
        medium.programFails = { _ in false }
        try log.appendNumbered(taken..<taken + 1)
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(0...taken))
    }

    @Test func `a segment that cannot be begun is retried, and finally begins in the following slot`() throws
    {
        let eraseFailed = LogError.flash(FlashError(.erase, code: SimulatedMedium.failure))
        for (isErasure, attempts, error) in [(true, 8, eraseFailed), (false, 16, programFailed)] {
            let medium = SimulatedMedium(.small(segments: 5))
            if isErasure {
                medium.eraseFails = { $0 == 1 }
            } else {
                medium.programFails = { (4..<8).contains($0) }
            }
            var log = try mount(medium)
            for number in 0..<3 {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
            }
            try log.appendNumbered(3..<4)
            for _ in 0..<attempts / 2 { #expect(throws: error) { try log.commit() } }
            try log.commit()
            #expect(log.counters.flashFailures == attempts)
            let ordinals = (0..<3).map { log.retainedSegment(at: $0)?.ordinal }
            #expect(ordinals == [0, 2, nil])
            var again = try mount(medium)
            let read = try ReadLog(&again)
            #expect(read.numbers == Array(0..<4))
        }
    }

    @Test func `the ring passes an unusable slot in every round`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        medium.programFails = { (4..<8).contains($0) }
        var log = try mount(medium)
        for number in 0..<40 {
            try log.appendNumbered(number..<number + 1)
            for _ in 0..<9 where log.openEntryCount > 0 { try? log.commit() }
            #expect(log.openEntryCount == 0)
            var again = try mount(medium)
            let read = try ReadLog(&again)
            #expect(read.numbers.suffix(8) == Array(max(0, number - 7)...number).suffix(read.numbers.count))
            #expect(read.numbers.count >= min(number + 1, 7), "after \(number)")
        }
    }

    @Test func `a device that accepts no more writes keeps its contents`() throws {
        let medium = SimulatedMedium(.small(segments: 8))
        var log = try mount(medium)
        for number in 0..<40 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        let before = log.retainedSegmentCount
        medium.programFails = { _ in true }
        try log.appendNumbered(40..<41)
        for _ in 0..<500 { #expect(throws: programFailed) { try log.commit() } }
        // The next slot and the two after it at most.
        #expect(log.retainedSegmentCount >= before - 3)
        medium.programFails = { _ in false }
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(read.numbers[0]...40))
        #expect(read.numbers.count >= 16)
    }

    @Test func `an unreadable device is erased ever more rarely, and used at once when readable again`()
        throws
    {
        let medium = SimulatedMedium(.small(segments: 8))
        var log = try mount(medium)
        for number in 0..<40 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        let before = log.retainedSegmentCount
        medium.readFails = { _ in true }
        medium.resetCounts()
        try log.appendNumbered(40..<41)
        var erasures: [Int] = []
        // The number of attempts that the agent makes in an hour.
        for _ in 0..<3_600 {
            #expect(throws: LogError.self) { try log.commit() }
            erasures.append(medium.eraseCount)
        }
        // Eight in each of three slots, one for each doubling of the pause, then two every 256 attempts.
        #expect((24...70).contains(medium.eraseCount))
        #expect(erasures[3_599] - erasures[2_599] <= 8)
        #expect(log.counters.putOffErasures > 3_000)

        medium.readFails = { _ in false }
        let eraseCount = medium.eraseCount
        try log.commit()
        #expect(medium.eraseCount == eraseCount)
        #expect(log.retainedSegmentCount >= before - 3)
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(read.numbers[0]...40))
    }

    @Test func `an erasure without effect is detected`() throws {
        let medium = SimulatedMedium(.small(segments: 2))
        var log = try mount(medium)
        for number in 0..<3 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        // Unreadable blocks count as not erased.
        medium.readFails = { $0 >= 4 }
        try log.appendNumbered(3..<4)
        #expect(throws: LogError.eraseHadNoEffect) { try log.commit() }
        #expect(log.openEntryCount == 1)
        medium.readFails = { _ in false }
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.numbers == [0, 1, 2, 3])
    }

    @Test(arguments: [false, true]) func `a failed sync leaves the entries in memory`(lands: Bool) throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        try log.appendNumbered(0..<2)
        medium.syncFails = { true }
        medium.failedSyncLands = { lands }
        #expect(throws: LogError.flash(FlashError(.sync, code: SimulatedMedium.failure))) { try log.commit() }
        #expect(log.openEntryCount == 2)
        let pages = log.committedBlockCount
        #expect(pages == 1)
        medium.syncFails = { false }
        try log.commit()
        let read = try ReadLog(&log)
        // Two failed attempts that landed, then one that succeeded: several pages may have the same entries.
        #expect(read.numbers == (lands ? [0, 1, 0, 1, 0, 1] : [0, 1]))
    }

    @Test func `an unreadable page does not keep the log from being mounted`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        do {
            var log = try mount(medium)
            for number in 0..<9 {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
            }
        }
        for page in 0..<16 {
            let copy = medium.copy()
            copy.readFails = { $0 == page }
            var log = try mount(copy)
            try log.appendNumbered(9..<10)
            try log.commit()
            copy.readFails = { _ in false }
            let read = try ReadLog(&log)
            #expect(read.numbers == Array(0..<10), "page \(page)")
        }
    }

    @Test func `a block that is not erased is skipped`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        _ = try mount(medium)
        // Behind the header, where mounting does not look.
        medium.bytes[2 * 256 + 100] = 0
        var log = try mount(medium)
        for number in 0..<3 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        #expect(log.counters.skippedBlocks == 1)
        let read = try ReadLog(&log)
        #expect(read.numbers == [0, 1, 2])
    }
}
