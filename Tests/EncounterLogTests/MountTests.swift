import FixedMemory
import Simulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct MountTests {
    @Test(arguments: [0x00, 0xff] as [UInt8]) func `a blank medium is formatted`(blank: UInt8) throws {
        let medium = SimulatedMedium(.small(segments: 4), filledWith: blank)
        let log = try mount(medium)
        let identity = log.logIdentity
        #expect(identity == testIdentity)
        #expect(log.committedPageCount == 1)
        #expect(log.openEntryCount == 0)
        #expect(log.oldestOpenEntryMilliseconds == nil)
    }

    @Test func `the identity stays`() throws {
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

    @Test func `what was committed is read again, in order, after each of many starts`() throws {
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
        #expect(Set(read.headers.map(\.sequenceNumber)).count == read.headers.count)
        #expect(read.headers.map(\.sequenceNumber) == Array(0..<11))
        #expect(read.headers.map(\.bootIdentifier) == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `what was not committed is gone`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        do {
            var log = try mount(medium)
            try log.appendNumbered(0..<3)
            #expect(log.openEntryCount == 3)
            #expect(log.oldestOpenEntryMilliseconds == 0)
        }
        var log = try mount(medium)
        let read = try ReadLog(&log)
        #expect(read.entries.isEmpty)
    }

    @Test(arguments: [0, 1, 5, 15]) func `a medium that holds something else is left alone`(page: Int) {
        let medium = SimulatedMedium(.small(segments: 4), filledWith: 0)
        medium.bytes[page * 256 + 77] = 0x20
        let before = medium.bytes
        #expect(throws: LogError.mediumHoldsSomethingElse(page: page)) { _ = try mount(medium) }
        #expect(medium.bytes == before)
        #expect(medium.changeCount == 0)
    }

    @Test(arguments: [PageHeader.maximumSegmentOrdinal + 2, .max])
    func `an ordinal that no log reaches is no log`(
        ordinal: UInt32
    ) {
        let geometry = FlashGeometry.small(segments: 4)
        let medium = SimulatedMedium(geometry)
        let slot = Int(ordinal % UInt32(geometry.segmentCount))
        let header = PageHeader(
            geometry: geometry, segmentOrdinal: ordinal, pageIndex: 0, entryByteCount: 0, bootIdentifier: 1,
            logIdentity: testIdentity, bodyChecksum: 0
        ).encoded()
        let page = slot * geometry.pagesPerSegment
        medium.bytes.replaceSubrange(
            medium.range(ofPage: page).prefix(header.count), with: (0..<header.count).map { header[$0] })
        #expect(throws: LogError.mediumHoldsSomethingElse(page: page)) { _ = try mount(medium) }
        #expect(medium.changeCount == 0)
    }

    @Test func `a text behind which a file was lengthened is left alone`() {
        let medium = SimulatedMedium(.small(segments: 4), filledWith: 0)
        medium.bytes.replaceSubrange(0..<6, with: Array("tables".utf8))
        #expect(throws: LogError.mediumHoldsSomethingElse(page: 0)) { _ = try mount(medium) }
    }

    @Test func `a log of another geometry is left alone`() throws {
        let first = FlashGeometry.small(segments: 8)
        for other in [
            FlashGeometry.small(segments: 4), .small(segments: 16),
            .pages(of: 256, perSegment: 8, segments: 4),
            .pages(of: 512, perSegment: 4, segments: 4),
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

    @Test func `a log of a later version is left alone, and named`() throws {
        for (offset, value, error) in [
            (4, 2, LogError.unsupportedVersion(2)), (5, 0x81, .unsupportedFlags(0x81)),
        ] {
            let medium = SimulatedMedium(.small(segments: 4))
            _ = try mount(medium)
            medium.bytes[offset] = UInt8(value)
            medium.sealHeader(page: 0)
            let before = medium.bytes
            #expect(throws: error) { _ = try mount(medium) }
            #expect(medium.bytes == before)
        }
    }

    @Test func `a device that cannot be read is not formatted`() {
        let medium = SimulatedMedium(.small(segments: 4))
        medium.readFails = { _ in true }
        #expect(throws: LogError.flash(FlashError(.read, code: SimulatedMedium.failure))) {
            _ = try mount(medium)
        }
        #expect(medium.changeCount == 0)
    }

    /// A typed error, or a log that goes on; the emulator sees to it that no page is programmed twice.
    @Test func `whatever a medium holds, mounting it is safe`() throws {
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

    /// The figures of docs/log-design.md. The sizes of pages do not matter to them: the default's are 4096 bytes.
    @Test(arguments: [
        // One segment is found by its first header, 63 are blank by two; then back to the first's only page.
        (0, 1 + 2 * 63 + 64),
        // 16 segments are found, 48 are blank; 41 of the 16th's pages are written.
        (1000, 16 + 2 * 48 + 24),
        // The ring has gone round: every segment is found, and the newest is full ...
        (2 * 4096 - 1, 64 + 1),
        // ... or has one page.
        (2 * 4096, 64 + 64),
    ])
    func `mounting a log of 64 segments of 64 pages reads few headers`(commits: Int, reads: Int) throws {
        let medium = SimulatedMedium(.pages(of: 256, perSegment: 64, segments: 64))
        do {
            var log = try mount(medium)
            for number in 0..<commits {
                try log.appendNumbered(number..<number + 1)
                try log.commit()
            }
        }
        medium.resetCounts()
        _ = try mount(medium)
        #expect(medium.readCount == reads)
        #expect(medium.readByteCount == reads * 56)
        #expect(medium.changeCount == 0)
    }
}

extension SimulatedMedium {
    /// Gives a page's header the checksum that belongs to it, as only a writer does.
    func sealHeader(page: Int) {
        let start = range(ofPage: page).lowerBound
        let checksum = CRC32C.checksum(of: Array(bytes[start..<start + 52]).span)
        for index in 0..<4 { bytes[start + 52 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
    }
}
