import Archive
import EncounterLog
import FixedMemory
import LogContents
import Testing

/// Contacts between boards of one archive: from encounters with identities that another board served.
@Suite struct ContactTests {
    private let archive: Archive

    init() throws { archive = try Archive(inMemoryNamed: "contacts", admitting: .unverified) }

    /// The stages of a board's run, in seconds after noon.
    private struct Run {
        /// The wall clock of the board; nil if it has none.
        var clockError: UInt32? = 25
        var served: KeyValuePairs<UInt64, UInt8?> = [:]
        var heard: [(number: UInt8, from: UInt64, to: UInt64)] = []
        var marks = IdentityMarks.none
    }

    private static func payload(_ number: UInt8) -> [UInt8] { [0x10, 0x3a, 0x03, 0, 0, number] + [7, 7, 7] }

    /// Fetches a board that ran for ten minutes from noon.
    private func fetch(_ number: UInt8, _ run: Run) throws -> LogIdentity {
        let board = try SealedBoard(firstIdentityByte: number)
        var entries: [LogEntry] = [
            .boot(
                BootEntry(
                    bootIdentifier: UInt64(number), instant: 500, softwareVersion: Bytes<3>(),
                    sampleLength: 8_000, encounterTimeout: 30_000, lossWindow: 30_000, role: .wearable))
        ]
        if let error = run.clockError {
            entries.append(
                .anchor(
                    AnchorEntry(instant: 0, wallClock: noon, errorMilliseconds: error, source: .systemClock)))
        }
        for (second, number) in run.served {
            entries.append(
                .ownIdentity(
                    OwnIdentityEntry(
                        instant: .start + .seconds(second), address: Bytes(), addressType: 1,
                        scheme: SchemeCode(.herald),
                        identity: number.flatMap { FixedBuffer(Self.payload($0).span) } ?? FixedBuffer())))
        }
        for (track, meeting) in run.heard.enumerated() {
            entries += Self.entries(of: meeting, track: UInt32(track + 1), marks: run.marks)
        }
        entries.append(
            .coverage(
                CoverageEntry(start: 500, end: 600_000, reports: 1, malformed: 0, dropped: 0, evicted: 0)))
        try board.run(boot: UInt64(number), sealedFor: nil, entries: entries)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
        return board.identity
    }

    private static func entries(
        of meeting: (number: UInt8, from: UInt64, to: UInt64), track: UInt32, marks: IdentityMarks
    ) -> [LogEntry] {
        let (start, end) = (Instant.start + .seconds(meeting.from), Instant.start + .seconds(meeting.to))
        return [
            .encounterOpened(
                EncounterOpenedEntry(
                    encounter: track, instant: start, address: Bytes(), addressType: 1,
                    foundBy: .heraldService)),
            .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: track, instant: start, scheme: SchemeCode(.herald),
                    identity: FixedBuffer(payload(meeting.number).span) ?? FixedBuffer(), marks: marks)),
            .sample(
                SampleEntry(
                    encounter: track, start: start, end: end, readings: 4, minimumRSSIDBm: -80,
                    maximumRSSIDBm: -60, meanRSSITenthsDBm: -700)),
            .encounterClosed(EncounterClosedEntry(encounter: track, instant: end, readings: 4)),
        ]
    }

    private func seconds(_ contact: BoardContact) -> ClosedRange<Int64> {
        let noon = TimelinePoint(noon).milliseconds
        return (contact.start.milliseconds - noon) / 1_000...(contact.end.milliseconds - noon) / 1_000
    }

    @Test func `an encounter with what another board served is a contact of both`() throws {
        let badge = try fetch(1, Run(heard: [(9, 100, 160), (8, 300, 310)]))
        #expect(try archive.contacts().isEmpty, "nobody served it yet")
        let foyer = try fetch(101, Run(served: [0: 9]))
        let contacts = try archive.contacts()
        #expect(contacts.map(seconds) == [100...160])
        let contact = try #require(contacts.first)
        #expect(contact.certainty == .served)
        #expect(
            contact.sides == [
                BoardContact.Side(
                    board: badge, encounterCount: 1, readingCount: 4, maximumDBm: -60, meanDBm: -70),
                BoardContact.Side(board: foyer, encounterCount: 0, readingCount: 0),
            ])
        #expect(!contact.isMutual)
    }

    @Test func `what both boards heard is one contact, whatever identities they showed`() throws {
        _ = try fetch(1, Run(served: [0: 1, 150: 2], heard: [(9, 100, 120)]))
        _ = try fetch(101, Run(served: [0: 9], heard: [(1, 140, 150), (2, 175, 200), (2, 231, 240)]))
        let contacts = try archive.contacts()
        #expect(contacts.map(seconds) == [100...200, 231...240], "30 s of silence are within a contact")
        #expect(contacts.map(\.isMutual) == [true, false])
        #expect(contacts.map { $0.second.encounterCount } == [2, 1])
    }

    @Test func `an identity that its board served at another time is no contact`() throws {
        _ = try fetch(1, Run(heard: [(9, 100, 160), (9, 400, 410)]))
        _ = try fetch(101, Run(served: [0: 9, 200: nil]))
        #expect(try archive.contacts().map(seconds) == [100...160])
    }

    @Test func `an identity served by a board without a clock may have been served at that time`() throws {
        _ = try fetch(1, Run(heard: [(9, 100, 160)]))
        _ = try fetch(101, Run(clockError: nil, served: [0: 9]))
        #expect(try archive.contacts().map(\.certainty) == [.undated])
    }

    @Test func `an identity that two boards served at that time is ambiguous`() throws {
        _ = try fetch(1, Run(heard: [(9, 100, 160), (9, 300, 310)]))
        _ = try fetch(101, Run(served: [0: 9]))
        _ = try fetch(201, Run(served: [0: 9, 200: nil]))
        #expect(try archive.contacts().map(\.certainty) == [.ambiguous, .ambiguous, .served])
    }

    @Test func `an identity that a peer only wrote lengthens no contact`() throws {
        _ = try fetch(1, Run(heard: [(9, 100, 160)], marks: .written))
        _ = try fetch(101, Run(served: [0: 9], heard: []))
        #expect(try archive.contacts().map(\.certainty) == [.written])
        var filter = ContactFilter()
        filter.excludesWritten = true
        #expect(try archive.contacts(matching: filter).isEmpty)
    }

    @Test func `boards whose clocks may be far apart have a contact each`() throws {
        _ = try fetch(1, Run(clockError: 40_000, served: [0: 1], heard: [(9, 100, 120)]))
        _ = try fetch(101, Run(served: [0: 9], heard: [(1, 110, 130)]))
        let contacts = try archive.contacts()
        #expect(contacts.map(seconds) == [100...120, 110...130])
        #expect(contacts.map(\.isMutual) == [false, false])
    }

    @Test func `contacts are found by board, time and duration`() throws {
        let badge = try fetch(1, Run(heard: [(9, 100, 160), (9, 400, 410), (8, 200, 300)]))
        let foyer = try fetch(101, Run(served: [0: 9]))
        _ = try fetch(201, Run(served: [0: 8]))
        func found(_ change: (inout ContactFilter) -> Void) throws -> [ClosedRange<Int64>] {
            var filter = ContactFilter()
            change(&filter)
            return try archive.contacts(matching: filter).map(seconds)
        }
        #expect(try found { _ in } == [100...160, 200...300, 400...410])
        #expect(try found { $0.boards = [foyer] } == [100...160, 400...410])
        #expect(try found { $0.boards = [badge] } == [100...160, 200...300, 400...410])
        #expect(try found { $0.since = noon + .seconds(160) } == [100...160, 200...300, 400...410])
        #expect(try found { $0.since = noon + .seconds(161) } == [200...300, 400...410])
        #expect(try found { $0.until = noon + .seconds(200) } == [100...160])
        #expect(try found { $0.minimumDuration = .seconds(60) } == [100...160, 200...300])
        #expect(try found { $0.needsBothSides = true } == [])
    }
}
