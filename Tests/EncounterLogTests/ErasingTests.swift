import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct AcknowledgementTests {
    @Test func `the acknowledged position survives a restart`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        try log.commitNumbered(0..<6)
        let position = log.head.position
        try log.acknowledge(position)
        #expect(log.syncedThrough == position)
        // Not on the medium yet, because no page was written since.
        let before = try mount(medium, boot: 2)
        #expect(before.syncedThrough == .start)
        try log.commitNumbered(6..<7)
        let after = try mount(medium, boot: 3)
        #expect(after.syncedThrough == position)
        #expect(after.head == log.head)
    }

    @Test func `only retained positions can be acknowledged, and the position never moves back`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        for number in 0..<30 { try log.commitNumbered(number..<number + 1) }
        let head = log.head.position
        let oldest = log.retainedSegment(from: 0)?.ordinal ?? 0
        #expect(oldest > 1)
        let middle = LogPosition(segmentOrdinal: head.segmentOrdinal - 1, byteOffset: 256)
        try log.acknowledge(middle)
        for wrong in [
            LogPosition(segmentOrdinal: head.segmentOrdinal, byteOffset: head.byteOffset + 1),
            LogPosition(segmentOrdinal: head.segmentOrdinal + 1, byteOffset: 0),
            LogPosition(segmentOrdinal: oldest - 1, byteOffset: 0),
            LogPosition(segmentOrdinal: middle.segmentOrdinal, byteOffset: 255),
            LogPosition(segmentOrdinal: middle.segmentOrdinal, byteOffset: .max),
        ] {
            var result: LogError?
            do throws(LogError) { try log.acknowledge(wrong) } catch { result = error }
            #expect(result == .noSuchSegment, "\(wrong)")
        }
        try log.acknowledge(middle)
        try log.acknowledge(head)
        #expect(log.syncedThrough == head)
    }
}

@Suite struct GapTests {
    @Test func `segments overwritten before a host fetched them are reported with counts and times`() throws {
        let medium = SimulatedMedium(.small(segments: 3))
        var log = try mount(medium)
        // The page of formatting, then 11 pages: three segments of four.
        for number in 0..<11 { try log.commitNumbered(number..<number + 1) }
        let none = log.takeGap(now: 0)
        #expect(none == nil)
        try log.commitNumbered(11..<12)
        let gapFound = log.takeGap(now: 99)
        let gap = try #require(gapFound)
        #expect(gap.instant == 99)
        #expect(gap.cause == .room)
        #expect(!gap.isAcknowledged)
        #expect(gap.firstSegmentOrdinal == 0)
        #expect(gap.segmentCount == 1)
        #expect(gap.byteCount == 1024)
        #expect(gap.knowledge == 1)
        #expect(gap.entryCount == 3)
        #expect(gap.first == SegmentSummary.Moment(bootIdentifier: 1, instant: 0))
        #expect(gap.last == SegmentSummary.Moment(bootIdentifier: 1, instant: 2))
        let after = log.takeGap(now: 0)
        #expect(after == nil)
        #expect(log.counters.lostSegments == 1)
        #expect(log.counters.lostBytes == 1024)
    }

    @Test func `several unreported erased segments form one erased range`() throws {
        let medium = SimulatedMedium(.small(segments: 3))
        var log = try mount(medium)
        for number in 0..<20 { try log.commitNumbered(number..<number + 1) }
        let gapFound = log.takeGap(now: 0)
        let gap = try #require(gapFound)
        #expect(gap.firstSegmentOrdinal == 0)
        #expect(gap.segmentCount == 3)
        #expect(gap.byteCount == 3 * 1024)
        #expect(gap.entryCount == 11)
        #expect(gap.last.instant == 10)
    }

    @Test func `acknowledged segments make room without a report`() throws {
        let medium = SimulatedMedium(.small(segments: 3))
        var log = try mount(medium)
        for number in 0..<11 { try log.commitNumbered(number..<number + 1) }
        try log.acknowledge(log.head.position)
        try log.commitNumbered(11..<12)
        let none = log.takeGap(now: 0)
        #expect(none == nil)
        #expect(log.counters.overwrittenSegments == 1)
        #expect(log.counters.lostSegments == 0)
    }
}

@Suite struct ErasingTests {
    @Test func `segments are erased oldest first, and the newest stays`() throws {
        let medium = SimulatedMedium(.small(segments: 8))
        var log = try mount(medium)
        for number in 0..<18 { try log.commitNumbered(number..<number + 1) }
        var ordinals: [UInt32] = []
        for index in 0..<5 {
            if let segment = log.retainedSegment(at: index) { ordinals.append(segment.ordinal) }
        }
        #expect(ordinals == [0, 1, 2, 3, 4])
        for left in (1...4).reversed() {
            try log.eraseOldest(.command)
            #expect(log.retainedSegmentCount == left)
            let segment = medium.range(ofBlock: (4 - left) * 4)
            #expect(medium.bytes[segment].allSatisfy { $0 == 0xff })
            var mounted = try mount(medium, boot: 2)
            let read = try ReadLog(&mounted)
            // Four pages to a segment; the page of formatting has no entry.
            #expect(read.numbers == Array((5 - left) * 4 - 1..<18))
            #expect(mounted.logIdentity == testIdentity)
            #expect(mounted.head == log.head)
        }
        #expect(log.oldestErasable == nil)
        try log.eraseOldest(.command)
        #expect(log.retainedSegmentCount == 1)
        let gapFound = log.takeGap(now: 5)
        let gap = try #require(gapFound)
        #expect(gap.cause == .command)
        #expect(gap.segmentCount == 4)
        #expect(gap.entryCount == 15)
        #expect(log.counters.removedSegments == 4)
    }

    @Test func `the ring continues over erased segments`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        for number in 0..<60 {
            try log.commitNumbered(number..<number + 1)
            if number % 7 == 6 { try log.eraseOldest(.retention) }
            let read = try ReadLog(&log)
            #expect(read.numbers.last == number)
            #expect(read.errors.isEmpty)
            var mounted = try mount(medium, boot: 2)
            let same = try ReadLog(&mounted)
            #expect(same.numbers == read.numbers)
        }
    }

    @Test func `a segment that cannot be erased is no longer served, and the log continues`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        for number in 0..<10 { try log.commitNumbered(number..<number + 1) }
        medium.eraseFails = { _ in true }
        var failure: LogError?
        do throws(LogError) { try log.eraseOldest(.command) } catch { failure = error }
        #expect(failure != nil)
        #expect(log.retainedSegment(ordinal: 0) == nil)
        medium.eraseFails = { _ in false }
        for number in 10..<20 { try log.commitNumbered(number..<number + 1) }
        let read = try ReadLog(&log)
        #expect(read.numbers.last == 19)
    }

    /// A log of many segments, of which all but a few are erased. Power fails at each operation of erasing
    /// and of the commits between.
    @Test(arguments: TearKind.allCases, [3, 9, 30])
    func `the log survives a power cut at every operation of erasing`(tear: TearKind, begun: Int) throws {
        let geometry = FlashGeometry.small(segments: 8)
        let commits = begun * 2
        let before = SimulatedMedium(geometry)
        var first = try mount(before)
        for number in 0..<commits { try first.commitNumbered(number..<number + 1) }
        let whole = try ReadLog(&first).numbers
        let segments = first.retainedSegmentCount
        for cut in 0..<segments * 2 {
            for seed in UInt64(1)...3 {
                let comment: Comment = "\(tear) at \(cut), seed \(seed), \(commits) commits"
                let medium = before.copy()
                var log = try mount(medium, boot: 2)
                medium.cut = (medium.changeCount + cut, tear.tear(seed: seed &* 977 &+ UInt64(cut)))
                var next = commits
                var erased = 0
                do throws(LogError) {
                    while erased < segments - 1 {
                        try log.eraseOldest(.command)
                        erased += 1
                        try log.commitNumbered(next..<next + 1)
                        next += 1
                    }
                } catch {
                    #expect(!medium.isPowered, comment)
                }
                medium.powerCameBack()
                try Self.check(medium, whole, erased, segments, commits..<next, comment)
                // The log continues, and reads the same after another mount.
                var again = try mount(medium, boot: 3)
                for number in 1_000..<1_040 { try again.commitNumbered(number..<number + 1) }
                let numbers = try ReadLog(&again).numbers
                #expect(numbers.suffix(16) == Array(1_024..<1_040)[...], comment)
                var last = try mount(medium, boot: 4)
                let same = try ReadLog(&last).numbers
                #expect(same == numbers, comment)
            }
        }
    }

    /// Checks that every entry of the segments to keep is there, and that none of the erased segments is. The
    /// segment being erased at the power cut may be either.
    private static func check(
        _ medium: SimulatedMedium, _ whole: [Int], _ erased: Int, _ segments: Int, _ added: Range<Int>,
        _ comment: Comment
    ) throws {
        var log = try mount(medium, boot: 9)
        let read = try ReadLog(&log)
        #expect(!read.numbers.contains(-1), comment)
        #expect(zip(read.numbers, read.numbers.dropFirst()).allSatisfy { $0 < $1 }, comment)
        let perSegment = 4
        let goneAtMost = (erased + 1) * perSegment
        #expect(Set(whole.dropFirst(goneAtMost)).isSubset(of: read.numbers), comment)
        let gone = whole.prefix(max(0, erased * perSegment - 1))
        #expect(gone.allSatisfy { !read.numbers.contains($0) }, comment)
        #expect(Set(added).subtracting(read.numbers).count <= 1, comment)
    }
}

extension EncounterLog where Flash == SimulatedFlash {
    mutating func commitNumbered(_ range: Range<Int>) throws(LogError) {
        try appendNumbered(range)
        try commit()
    }
}
