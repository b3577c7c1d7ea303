import EncounterLog
import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import Agent

/// Tests the age limits of a log with hardly any entries.
@Suite struct RetentionTests {
    @Test func `the newest segment is completed after a day`() throws {
        var board = try QuietBoard(days: 14)
        try board.meet()
        // Within a boot a day lasts 24 hours, whatever a clock shows.
        try board.pass(hours: 23)
        #expect(board.segments == [0])
        try board.pass(hours: 2)
        #expect(board.segments == [0, 1])
        try board.pass(hours: 22)
        #expect(board.segments == [0, 1])
        try board.pass(hours: 3)
        #expect(board.segments == [0, 1, 2])
    }

    @Test func `no entry of a quiet board is older than its retention plus a day`() throws {
        var board = try QuietBoard(days: 2)
        try board.meet()
        try board.pass(hours: 3 * 24 - 2)
        #expect(board.metCount == 1)
        try board.pass(hours: 24)
        #expect(board.metCount == 0)
    }

    /// With 32 segments, at most half of them are completed early.
    @Test func `a ring with few segments keeps each segment open for longer`() throws {
        var board = try QuietBoard(days: 64)
        try board.meet()
        try board.pass(hours: 3 * 24)
        #expect(board.segments == [0])
        try board.pass(hours: 24)
        #expect(board.segments == [0, 1])
        // The age limit is 4 days for the segment, plus 64 days of retention, plus an hour or two.
        try board.pass(hours: 64 * 24 - 2)
        #expect(board.metCount == 1)
        try board.pass(hours: 24)
        #expect(board.metCount == 0)
    }

    @Test func `without a wall clock, a day is 24 hours of this boot`() throws {
        var board = try QuietBoard(days: 2)
        board.wallOffset = nil
        try board.meet()
        try board.pass(hours: 23)
        #expect(board.segments == [0])
        try board.pass(hours: 2)
        #expect(board.segments == [0, 1])
        try board.pass(hours: 48)
        #expect(board.metCount == 0)
    }

    @Test func `a board with unlimited retention completes no segment early`() throws {
        var board = try QuietBoard(days: 0)
        try board.meet()
        try board.pass(hours: 10 * 24)
        #expect(board.segments == [0])
    }

    @Test func `the agent begins the next segment with the configuration`() throws {
        let world = BoardWorld()
        var scene = try Scene("log.retention_days=14", in: world)
        for _ in 0..<26 {
            world.now += .hours(1)
            // Too short for coverage, which would fill the segment.
            scene.run(milliseconds: 500)
        }
        let pages = ReadPages.pages(ofMedium: world.medium.bytes, geometry: world.medium.geometry)
        let firsts = Dictionary(grouping: pages, by: \.position.segmentOrdinal).values
            .compactMap { $0.flatMap(\.entries).first }
        #expect(firsts.compactMap(\.configuration).map(\.retentionDays).contains(14))
    }
}

/// A log and its writer without an agent, so that weeks of hourly checks run in no time.
private struct QuietBoard: ~Copyable {
    /// A day in 2026, 11:06:40 UTC, in milliseconds since 1970.
    static let eleven: UInt64 = 1_795_000_000_000

    private let medium = BoardWorld().medium
    private var writer: LogWriter<SimulatedFlash>
    private var retention: RetentionKeeper
    private var now: Instant = 0
    var wallOffset: UInt64? = QuietBoard.eleven

    init(days: UInt16) throws {
        let log = try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: Bytes(), bootIdentifier: 1)
        writer = LogWriter(log: log, lossWindow: 30_000)
        retention = RetentionKeeper(
            days: days, segmentCount: medium.geometry.segmentCount, now: 0)
        look()
    }

    mutating func meet() throws {
        let entry = EncounterOpenedEntry(
            encounter: 1, instant: now, address: Bytes(), addressType: 1,
            foundBy: .heraldService)
        writer.append(.encounterOpened(entry), now: now)
        try? writer.log.commit()
    }

    mutating func pass(hours: Int) throws {
        for _ in 0..<hours {
            now += 3_600_000
            let entry = CoverageEntry(
                start: now - .hours(1), end: now, reports: 0, malformed: 0,
                dropped: 0,
                evicted: 0)
            writer.append(.coverage(entry), now: now)
            while retention.isDue(now: now) { look() }
        }
    }

    private mutating func look() {
        let offset = wallOffset.map {
            ClockOffset(of: WallClockTime(milliseconds: $0 + now.milliseconds), at: now)
        }
        guard retention.advance(&writer, confirmed: offset, now: now) else { return }
        writer.append(
            .boot(
                BootEntry(
                    bootIdentifier: 1, instant: now, softwareVersion: Bytes(),
                    sampleLength: 8_000, encounterTimeout: 30_000, lossWindow: 30_000,
                    role: .beacon)), now: now)
        try? writer.log.commit()
    }

    private var pages: [ReadPages.Page] {
        ReadPages.pages(ofMedium: medium.bytes, geometry: medium.geometry)
    }

    var segments: [UInt32] { Array(Set(pages.map(\.position.segmentOrdinal))).sorted() }

    var metCount: Int { medium.entries.compactMap(\.opened).count }
}
