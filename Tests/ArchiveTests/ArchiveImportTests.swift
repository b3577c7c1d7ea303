import Archive
import EncounterLog
import FixedMemory
import Foundation
import Schemes
import Testing

@Suite struct ArchiveImportTests {
    private let log: TestLog
    private let archive: Archive

    init() throws {
        log = try TestLog()
        archive = try Archive(inMemoryNamed: "test", admitting: .unverified)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount, name: "Foyer")
    }

    @Test func `the history has what the board wrote`() throws {
        try fetchAll()
        let summary = try archive.decodePages(of: log.board)
        #expect(summary.damagedPageCount == 0)
        #expect(summary.pageCount == log.byteCount / TestLog.blockByteCount)

        let history = try archive.history(of: log.board)
        #expect(history.boots.map(\.identifier) == [1, 2])
        let boot = try #require(history.boots.first)
        #expect(boot.parameters?.softwareVersion == "0.1.0")
        #expect(boot.parameters?.encounterTimeout == 30_000)
        #expect(boot.anchors.map(\.error) == [25])
        #expect(boot.coverage.map(\.droppedCount) == [2])
        #expect(
            boot.radioIncidents == [
                RadioIncident(
                    instant: 610_000, event: .rungTaken, fault: .commandTimeout, rung: .reset,
                    detail: 0x200c),
                RadioIncident(
                    instant: 611_000, event: RadioEvent(rawValue: 77),
                    fault: RadioFaultKind(rawValue: 88), rung: RecoveryRung(rawValue: 99), detail: .max),
            ])
        #expect(history.holes.isEmpty)
        #expect(boot.tracks.map(\.number) == [UInt32](1...12))
        let track = try #require(boot.tracks.first)
        #expect(track.address?.text == "00:00:00:00:00:01")
        #expect(track.firstSighting == 1_000)
        #expect(track.lastReading == 13_000)
        #expect(track.identifications.map(\.identity.scheme.id) == [.herald])
        #expect(track.samples.map(\.meanDBm) == [-70.5, -80])
        #expect(track.samples.map(\.txPowerDBm) == [8, nil])

        let encounters = try archive.encounters()
        #expect(encounters.count == 24)
        #expect(encounters.allSatisfy { $0.duration == 12_000 && $0.readingCount == 30 })
    }

    @Test func `simultaneous identities in several schemes are all kept, with their marks`()
        throws
    {
        let identities: [(SchemeID, Int, IdentityMarks)] = [
            (.herald, 21, .none), (.sonar, 129, .timeUnchecked), (.covidTracer, 20, .none),
            (.bleProximity, 8, .written),
        ]
        let log = try TestLog { _ in
            identities.map { scheme, count, marks in
                var bytes = FixedBuffer<512>()
                for index in 0..<count { try? bytes.append(UInt8(index)) }
                return .encounterIdentified(
                    EncounterIdentifiedEntry(
                        encounter: 1, instant: 1_000, scheme: SchemeCode(scheme), identity: bytes,
                        marks: marks))
            }
        }
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try archive.decodePages(of: log.board)
        let track = try #require(try archive.history(of: log.board).boots.first?.tracks.first)
        #expect(track.identifications.map(\.identity.scheme.id) == identities.map(\.0))
        #expect(track.identifications.map(\.identity.payload.count) == identities.map(\.1))
        #expect(track.identifications.map(\.marks) == identities.map(\.2))
    }

    @Test func `a second import changes nothing`() throws {
        try fetchAll()
        try archive.decodePages(of: log.board)
        let history = try archive.history(of: log.board)
        let contents = try archive.contents(of: log.board)

        try fetchAll()
        #expect(try archive.decodePages(of: log.board) == ImportSummary())
        #expect(try archive.history(of: log.board) == history)
        #expect(try archive.contents(of: log.board) == contents)
    }

    @Test(arguments: [1, 7, 255, 256, 257, 1_000])
    func `the size of chunks does not matter`(size: Int) throws {
        // A short log, because single bytes take a transaction each.
        let log = try TestLog(trackCount: 2)
        #expect(log.segments.count > 2)
        for segment in log.segments {
            for start in stride(from: 0, to: segment.bytes.count, by: size) {
                let chunk = Array(segment.bytes[start..<min(start + size, segment.bytes.count)])
                try archive.append(chunk, at: start, segment: segment.ordinal, of: log.board)
                if start.isMultiple(of: 3) { try archive.decodePages(of: log.board) }
            }
            #expect(try archive.bytes(ofSegment: segment.ordinal, of: log.board) == segment.bytes)
        }
        try archive.decodePages(of: log.board)
        #expect(try archive.encounters().count == 4)
    }

    @Test func `a chunk that would leave a hole is refused`() throws {
        try archive.append([1, 2, 3], at: 0, segment: 0, of: log.board)
        #expect(throws: ArchiveError.discontinuous(segment: 0, storedByteCount: 3, offset: 4)) {
            try archive.append([5], at: 4, segment: 0, of: log.board)
        }
        // Overlapping bytes stay as they are; only new bytes are appended.
        try archive.append([9, 9, 4], at: 1, segment: 0, of: log.board)
        #expect(try archive.bytes(ofSegment: 0, of: log.board) == [1, 2, 3, 4])
    }

    @Test func `a damaged page costs only its own entries`() throws {
        try fetchAll { ordinal, bytes in
            if ordinal == 1 { bytes[2 * TestLog.blockByteCount + 60] ^= 0x20 }
        }
        let summary = try archive.decodePages(of: log.board)
        #expect(summary.damagedPageCount == 1)
        #expect(summary.pageCount == log.byteCount / TestLog.blockByteCount)
        #expect(try archive.contents(of: log.board).damagedPageCount == 1)

        let sound = try TestLog().segments.count
        #expect(try archive.segments(of: log.board).count == sound)
        // Every encounter without an entry in that page is present and complete.
        let whole = try archive.encounters().filter {
            $0.readingCount == 30 && $0.duration == 12_000
        }
        #expect((20..<24).contains(whole.count))
    }

    @Test func `a damaged page leaves a hole between the times around it`() throws {
        try fetchAll { ordinal, bytes in
            if ordinal == 1 { bytes[2 * TestLog.blockByteCount + 60] ^= 0x20 }
        }
        try archive.decodePages(of: log.board)
        let hole = try #require(try archive.history(of: log.board).holes.first)
        #expect(try archive.history(of: log.board).holes.count == 1)
        #expect(hole.kind == .damaged)
        let before = try #require(hole.before)
        let after = try #require(hole.after)
        #expect((before.boot, before.instant) < (after.boot, after.instant))
    }

    @Test func `segments that were never fetched leave holes`() throws {
        let log = try TestLog(trackCount: 40)
        for segment in log.segments where segment.ordinal != 0 && segment.ordinal != 2 {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try archive.decodePages(of: log.board)
        let holes = try archive.history(of: log.board).holes
        #expect(holes.map(\.kind) == [.overwritten, .overwritten])
        #expect(holes.map { $0.before == nil } == [true, false])
        #expect(holes.allSatisfy { $0.after != nil })
    }

    @Test func `a page in the wrong place is noted and still read`() throws {
        let first = try #require(log.segments.first)
        try archive.append(first.bytes, at: 0, segment: 9, of: log.board)
        let summary = try archive.decodePages(of: log.board)
        #expect(summary.damagedPageCount == first.bytes.count / TestLog.blockByteCount)
    }

    @Test func `any bytes are stored, and none stops the import`() throws {
        try archive.append([UInt8](repeating: 0x5a, count: 1_000), at: 0, segment: 0, of: log.board)
        let summary = try archive.decodePages(of: log.board)
        #expect(
            summary
                == {
                    var noise = ImportSummary(); noise.pageCount = 3; noise.damagedPageCount = 3; return noise
                }())
    }

    @Test func `a clock sample of the host becomes an anchor`() throws {
        try fetchAll()
        try archive.decodePages(of: log.board)
        let reading = Anchor(
            instant: 700_000, wallClock: noon + 4_300_003, error: 4,
            source: .host)
        try archive.record(reading, boot: 1, of: log.board)
        try archive.record(reading, boot: 1, of: log.board)
        let history = try archive.history(of: log.board)
        #expect(history.boots[0].anchors.count == 2)
        #expect(history.boots[1].anchors.count == 1)
        #expect(history.placements()[0].error(at: 700_000) == 4)
    }

    @Test func `the filter selects by board and identity`() throws {
        try fetchAll()
        try archive.decodePages(of: log.board)
        var filter = EncounterFilter()
        filter.boards = [log.board]
        #expect(try archive.encounters(matching: filter).count == 24)
        filter.identityText = "103A03000005"
        #expect(try archive.encounters(matching: filter).count == 2)
        filter.since = noon + .hours(2)
        #expect(try archive.encounters(matching: filter).count == 1)
        filter.minimumDuration = 12_001
        #expect(try archive.encounters(matching: filter).isEmpty)
        filter = EncounterFilter()
        filter.boards = []
        #expect(try archive.encounters(matching: filter).isEmpty)
    }

    private func fetchAll(changing: (UInt32, inout [UInt8]) -> Void = { _, _ in }) throws {
        try log.fetch(into: archive, changing: changing)
    }
}

@Suite struct ArchiveFileTests {
    @Test func `stored data survives reopening`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "deep/archive.sqlite").path
        let first = try Archive(path: path)
        try first.register(.test, blockByteCount: 256, name: "Foyer")
        try first.append([1, 2, 3], at: 0, segment: 4, of: .test)
        let second = try Archive(path: path, access: .existing)
        #expect(try second.bytes(ofSegment: 4, of: .test) == [1, 2, 3])
        #expect(try second.boards().map(\.name) == ["Foyer"])
    }

    @Test func `a missing archive is reported as missing`() {
        #expect(throws: ArchiveError.absent(path: "/nonexistent/archive.sqlite")) {
            try Archive(path: "/nonexistent/archive.sqlite", access: .existing)
        }
    }

    @Test func `a file that is not an archive is refused`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 0x41, count: 4096).write(to: file)
        #expect(throws: ArchiveError.self) { try Archive(path: file.path) }
        #expect(try Data(contentsOf: file) == Data(repeating: 0x41, count: 4096))
    }

    @Test func `a board that was never registered is unknown`() throws {
        let archive = try Archive(inMemoryNamed: "test", admitting: .unverified)
        #expect(throws: ArchiveError.unknownBoard(.test)) { try archive.history(of: .test) }
    }
}
