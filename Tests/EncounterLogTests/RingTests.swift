import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct RingTests {
    @Test func `a full page is programmed by itself, and the rest stays in memory`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        let entry = numberedEntry(1000)
        // The space behind the page header, the segment header and the link.
        let entriesPerPage = (256 - 8 - 78 - 28) / encoded(entry).count
        for time in 0..<entriesPerPage { try log.append(entry, now: Instant(milliseconds: UInt64(time))) }
        #expect(medium.programCount == 1)
        #expect(log.openEntryCount == entriesPerPage)
        try log.append(entry, now: 77)
        #expect(medium.programCount == 2)
        #expect(medium.syncCount >= 2)
        #expect(log.openEntryCount == 1)
        #expect(log.oldestOpenEntry == 77)
        #expect(log.committedBlockCount == 2)
    }

    @Test func `committing nothing writes nothing`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        try log.appendNumbered(0..<1)
        try log.commit()
        let changes = medium.changeCount
        let syncs = medium.syncCount
        try log.commit()
        try log.commit()
        #expect(medium.changeCount == changes)
        #expect(medium.syncCount == syncs)
        #expect(log.oldestOpenEntry == nil)
    }

    @Test func `each round of the ring overwrites the oldest segments, and counts them`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        // With the empty page of formatting: 12 segments of 4 pages exactly.
        for number in 0..<47 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
            let read = try ReadLog(&log)
            let segments = number / 4 + 1
            let oldest = max(0, (number + 1) / 4 - 3) * 4 - 1
            #expect(read.numbers == Array(max(0, oldest)...number), "after \(number), segment \(segments)")
            #expect(read.errors.isEmpty)
        }
        #expect(log.counters.overwrittenSegments == 8)
        #expect(log.counters.overwrittenBytes == 32 * 256)
        #expect(log.counters.programmedPages == 48)
        #expect(medium.eraseCount == 11)
        #expect(log.retainedSegmentCount == 4)
        let segments = (0..<4).map { log.retainedSegment(at: $0)?.ordinal }
        #expect(segments == [8, 9, 10, 11])
        #expect(log.retainedSegment(at: 4) == nil)
        #expect(log.retainedSegment(ordinal: 7) == nil)
    }

    @Test func `a restart does not change what is retained`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        for number in 0..<50 {
            let before: [RetainedSegment?]
            do {
                var log = try mount(medium, boot: UInt64(number))
                try log.appendNumbered(number..<number + 1)
                try log.commit()
                before = (0..<5).map { log.retainedSegment(at: $0) }
            }
            let log = try mount(medium)
            let after = (0..<5).map { log.retainedSegment(at: $0) }
            #expect(after == before)
        }
    }

    @Test func `committed bytes of a segment never change and only grow`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        var known: [UInt32: [UInt8]] = [:]
        for number in 0..<60 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
            if number % 7 == 0 { log = try mount(medium, boot: UInt64(number)) }
            for index in 0..<log.retainedSegmentCount {
                guard let segment = log.retainedSegment(at: index) else { break }
                let bytes = try log.bytes(of: segment)
                let before = known[segment.ordinal] ?? []
                #expect(Array(bytes.prefix(before.count)) == before)
                #expect(segment.isComplete == (bytes.count == 1024))
                known[segment.ordinal] = bytes
            }
        }
        #expect(known.count == 16)
    }

    @Test func `all segments are read as one, at any offset and length`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        for number in 0..<30 {
            try log.appendNumbered(number..<number + 1)
            try log.commit()
        }
        var whole: [UInt8] = []
        for index in 0..<log.retainedSegmentCount {
            guard let segment = log.retainedSegment(at: index) else { break }
            whole += try log.bytes(of: segment)
        }
        #expect(log.retainedByteCount == whole.count)
        for (offset, count) in [
            (0, whole.count), (0, whole.count + 100), (1000, 50), (1023, 2), (255, 258),
            (whole.count - 1, 10),
            (whole.count, 10), (whole.count + 5, 10), (-1, 10), (3, 0),
        ] {
            var bytes = [UInt8](repeating: 0, count: count)
            var span = bytes.mutableSpan
            let read = try log.read(offset: offset, into: &span)
            let expected = offset < 0 ? [] : Array(whole.dropFirst(offset).prefix(count))
            #expect(Array(bytes.prefix(read)) == expected)
        }
    }

    @Test func `reading a segment ends with its committed bytes`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium)
        try log.appendNumbered(0..<1)
        try log.commit()
        var bytes = [UInt8](repeating: 0, count: 100)
        for (offset, expected) in [(0, 100), (500, 12), (512, 0), (10_000, 0), (-5, 0)] {
            var span = bytes.mutableSpan
            let count = try log.read(segment: 0, offset: offset, into: &span)
            #expect(count == expected)
        }
        #expect(throws: LogError.noSuchSegment) {
            var span = bytes.mutableSpan
            _ = try log.read(segment: 1, offset: 0, into: &span)
        }
        #expect(log.openEntryCount == 0)
    }

    @Test func `a flipped bit costs its page and no other`() throws {
        let medium = SimulatedMedium(.small(segments: 3))
        let pages = 11
        do {
            var log = try mount(medium)
            for number in 0..<pages {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
            }
        }
        for page in 0...pages {
            // One bit of each byte of the page header, of what follows it, and of the first entry.
            for byte in 0..<50 {
                let copy = medium.copy()
                copy.bytes[page * 256 + byte] ^= 1 << (byte % 8)
                var log = try mount(copy, boot: 2)
                try log.appendNumbered(100..<101)
                try log.commit()
                let read = try ReadLog(&log)
                // The next segment overwrites the first, which has the empty page and the entries 0, 1 and 2.
                let expected = (3..<pages).filter { $0 != page - 1 } + [100]
                #expect(read.numbers == expected, "page \(page), byte \(byte)")
                #expect(read.errors.count == (page < 4 ? 0 : 1))
            }
        }
    }
}
