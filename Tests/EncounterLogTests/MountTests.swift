import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct MountTests {
    @Test(arguments: [0x00, 0xff] as [UInt8]) func `a blank medium is formatted`(blank: UInt8) throws {
        let medium = SimulatedMedium(.small(segments: 4), filledWith: blank)
        let log = try mount(medium)
        let identity = log.logIdentity
        #expect(identity == testIdentity)
        #expect(log.committedBlockCount == 1)
        #expect(log.openEntryCount == 0)
        #expect(log.oldestOpenEntry == nil)
    }

    @Test func `the log identity is constant`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        _ = try mount(medium)
        var log = try mount(medium, boot: 2, identity: Bytes())
        let identity = log.logIdentity
        #expect(identity == testIdentity)
        try log.appendNumbered(0..<100)
        try log.commit()
        let again = try mount(medium, boot: 3, identity: Bytes()).logIdentity
        #expect(again == testIdentity)
    }

    @Test func `committed entries are read in order after each of many restarts`() throws {
        let medium = SimulatedMedium(.small(segments: 8))
        for boot in 0..<10 {
            var log = try mount(medium, boot: UInt64(boot))
            try log.appendNumbered(boot * 7..<boot * 7 + 7)
            try log.commit()
        }
        var log = try mount(medium, boot: 10)
        let read = try ReadLog(&log)
        #expect(read.numbers == Array(0..<70))
        #expect(read.errors.isEmpty)
        #expect(read.pages.map(\.position.byteOffset) == (0..<11).map { $0 % 4 * 256 })
        #expect(read.pages.map { $0.segmentHeader?.bootIdentifier } == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `a torn first page of a new segment costs neither the chain nor the position`()
        throws
    {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        for number in 0..<3 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        let head = log.head
        try log.appendNumbered(3..<4)
        // The segment is erased; of its first page only the header and the segment header land.
        medium.cut = (change: medium.changeCount + 1, tear: .prefix(100))
        #expect(throws: LogError.self) { try log.commit() }
        medium.powerCameBack()
        let found = try mount(medium, boot: 2).head
        #expect(found == head)
        #expect(head.position != .start)
    }

    @Test func `a mostly unwritten file is mounted like an erased one`() throws {
        var readCounts: [Int] = []
        for blank in [0x00, 0xff] as [UInt8] {
            let medium = SimulatedMedium(.small(segments: 64), filledWith: blank)
            var log = try mount(medium)
            try log.appendNumbered(0..<3)
            try log.commit()
            let head = log.head
            medium.onOperation = nil
            let before = medium.readCount
            log = try mount(medium, boot: 2)
            readCounts.append(medium.readCount - before)
            let found = log.head
            #expect(found == head)
            try log.appendNumbered(3..<4)
            try log.commit()
            // The log continues in the same segment.
            #expect(log.retainedSegmentCount == 1)
        }
        #expect(readCounts[0] < 3 * readCounts[1])
    }

    @Test func `uncommitted entries are lost`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        do {
            var log = try mount(medium)
            try log.appendNumbered(0..<3)
            #expect(log.openEntryCount == 3)
            #expect(log.oldestOpenEntry == 0)
        }
        var log = try mount(medium)
        let read = try ReadLog(&log)
        #expect(read.entries.isEmpty)
    }

    @Test(arguments: [0, 1, 5, 15]) func `a medium with other contents is left unchanged`(page: Int) {
        let medium = SimulatedMedium(.small(segments: 4), filledWith: 0)
        medium.bytes[page * 256 + 77] = 0x20
        let before = medium.bytes
        #expect(throws: LogError.mediumHoldsSomethingElse(block: page)) { _ = try mount(medium) }
        #expect(medium.bytes == before)
        #expect(medium.changeCount == 0)
    }

    @Test(arguments: [PageHeader.maximumSegmentOrdinal + 2, .max])
    func `an ordinal beyond the maximum is rejected`(
        ordinal: UInt32
    ) throws {
        let geometry = FlashGeometry.small(segments: 4)
        let medium = SimulatedMedium(geometry)
        let slot = Int(ordinal % UInt32(geometry.segmentCount))
        let page = slot * geometry.blocksPerSegment
        let position = LogPosition(segmentOrdinal: ordinal, byteOffset: 0)
        let bytes = try SegmentHeader.unchecked(ordinal, geometry).withChecksum(at: position)
        medium.bytes.replaceSubrange(medium.range(ofBlock: page).prefix(bytes.count), with: bytes)
        #expect(throws: LogError.mediumHoldsSomethingElse(block: page)) { _ = try mount(medium) }
        #expect(medium.changeCount == 0)
    }

    @Test func `a text file padded with zeros is left unchanged`() {
        let medium = SimulatedMedium(.small(segments: 4), filledWith: 0)
        medium.bytes.replaceSubrange(0..<6, with: Array("tables".utf8))
        #expect(throws: LogError.mediumHoldsSomethingElse(block: 0)) { _ = try mount(medium) }
    }

    @Test func `a log of another geometry is left unchanged`() throws {
        let first = FlashGeometry.small(segments: 8)
        for other in [
            FlashGeometry.small(segments: 4), .small(segments: 16),
            .blocks(of: 256, perSegment: 8, segments: 4),
            .blocks(of: 512, perSegment: 4, segments: 4),
        ] {
            let medium = SimulatedMedium(first)
            var log = try mount(medium)
            try log.appendNumbered(0..<500)
            let moved = SimulatedMedium(other)
            for index in 0..<min(moved.bytes.count, medium.bytes.count) {
                moved.bytes[index] = medium.bytes[index]
            }
            let before = moved.bytes
            #expect(throws: LogError.geometryMismatch(found: first)) { _ = try mount(moved) }
            #expect(moved.bytes == before)
        }
    }

    @Test func `a log of a later version is left unchanged, and the version reported`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        _ = try mount(medium)
        medium.bytes[0] = 0xb3
        let covered = Array(medium.bytes[0..<4] + medium.bytes[8..<82])
        let checksum = CRC32C.checksum(of: covered.span)
        for index in 0..<4 { medium.bytes[82 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
        let before = medium.bytes
        #expect(throws: LogError.unsupportedVersion(3)) { _ = try mount(medium) }
        #expect(medium.bytes == before)
    }

    @Test func `a log of the first version is left unchanged, and the version reported`() {
        let medium = SimulatedMedium(.small(segments: 4))
        medium.bytes.replaceSubrange(0..<6, with: [0xd4, 0x54, 0x42, 0x4c, 1, 0])
        #expect(throws: LogError.unsupportedVersion(1)) { _ = try mount(medium) }
        #expect(medium.changeCount == 0)
    }

    @Test func `an unreadable device is not formatted`() {
        let medium = SimulatedMedium(.small(segments: 4))
        medium.readFails = { _ in true }
        #expect(throws: LogError.flash(FlashError(.read, code: SimulatedMedium.failure))) {
            _ = try mount(medium)
        }
        #expect(medium.changeCount == 0)
    }

    /// Mounting gives a typed error, or a log that continues; the emulator checks that no page is programmed
    /// twice.
    @Test func `mounting is safe whatever a medium holds`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let medium = SimulatedMedium(.small(segments: 4))
        var mounted = 0
        do {
            var log = try mount(medium)
            for number in 0..<30 {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
            }
        }
        for round in 0..<2000 {
            let copy = medium.copy()
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let start = Int.random(in: 0..<copy.bytes.count, using: &generator)
                let end = min(copy.bytes.count, start + Int.random(in: 1...600, using: &generator))
                let noise = generator.bytes(end - start)
                copy.bytes.replaceSubrange(start..<end, with: noise)
            }
            do throws(LogError) {
                var log = try mount(copy, boot: 2)
                try log.appendNumbered(100..<130)
                try log.commit()
            } catch {
                guard case .mediumHoldsSomethingElse = error else {
                    Issue.record("seed \(seed), round \(round): \(error)")
                    continue
                }
                continue
            }
            var log = try mount(copy, boot: 3)
            let read = try ReadLog(&log)
            #expect(read.numbers.suffix(30) == Array(100..<130), "seed \(seed), round \(round)")
            mounted += 1
        }
        #expect(mounted > 1500, "seed \(seed)")
    }

    @Test func `a torn page behind the newest segment is reported`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        do {
            var log = try mount(medium)
            while log.retainedSegmentCount < 2 {
                try log.appendNumbered(0..<1)
                try log.commit()
            }
        }
        let before = try mount(medium, boot: 2).foundStaleBlocks
        #expect(!before)
        medium.bytes[4 * 256 + 3] ^= 1
        let behind = try mount(medium, boot: 2).foundStaleBlocks
        #expect(behind)
    }

    /// A medium may lose a write, and return the block's previous contents.
    @Test(arguments: [4, 7] as [UInt32]) func `a stale first page hides no segment`(
        ordinal: UInt32
    ) throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var before: [UInt8] = []
        do {
            var log = try mount(medium)
            while log.head.position.segmentOrdinal < 7 {
                if log.head.position.segmentOrdinal == 3 { before = medium.bytes }
                try log.appendNumbered(0..<1)
                try log.commit()
            }
            for _ in 0..<2 {
                try log.appendNumbered(0..<1)
                try log.commit()
            }
        }
        let page = medium.range(ofBlock: Int(ordinal) % 4 * 4)
        medium.bytes.replaceSubrange(page, with: before[page])
        let log = try mount(medium, boot: 2)
        let segment = log.retainedSegment(ordinal: ordinal)
        #expect(segment != nil)
    }

    /// The figures of docs/log-design.md. One log grows through all lengths, because filling takes longest.
    @Test func `a log of 16 MiB is mounted with few reads at any length`() throws {
        let medium = SimulatedMedium(.blocks(of: 4096, perSegment: 64, segments: 64))
        var growing = try mount(medium)
        var committed = 0
        for commits in [0, 1000, 2 * 4096 - 1, 2 * 4096, 3 * 4096 + 77] {
            for number in committed..<commits {
                try growing.appendNumbered(number..<number + 1)
                try growing.commit()
            }
            committed = commits
            medium.resetCounts()
            let log = try mount(medium)
            let segments = log.retainedSegmentCount
            #expect(segments == min(64, commits / 64 + 1))
            #expect(medium.readCount <= 100)
            #expect(medium.readByteCount <= 8_192, "\(medium.readCount) reads")
            #expect(medium.changeCount == 0)
        }
    }
}
