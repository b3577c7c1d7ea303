import Archive
import EncounterLog
import FixedMemory
import Foundation
import Schemes
import TestSupport
import Testing

/// Keys that a board generated are available to its owner for as long as they are valid.
@Suite struct OwnKeyTests {
    private static let today = UInt32(noon.days)
    private static let hour = Interval.hours(1)

    /// A root that is valid for 56 days.
    private func root(_ scheme: SchemeID, from day: UInt32, _ byte: UInt8) -> LogEntry {
        entry(scheme, from: day, for: 56, [UInt8](repeating: byte, count: 32))
    }

    /// An Exposure Notification key that is valid to the end of its day.
    private func key(from interval: UInt32, _ byte: UInt8) -> LogEntry {
        entry(
            .exposureNotification, from: interval, for: 144 - interval % 144,
            [UInt8](repeating: byte, count: 16))
    }

    private func entry(
        _ scheme: SchemeID, from period: UInt32, for count: UInt32, _ bytes: [UInt8]
    ) -> LogEntry {
        .ownKey(
            OwnKeyEntry(
                instant: 600 + .milliseconds(UInt64(bytes[0])), scheme: SchemeCode(scheme),
                firstPeriod: period, periodCount: count, key: FixedBuffer<32>(bytes.span) ?? FixedBuffer()))
    }

    /// Two boots, at 13:00 and 14:00 of one day; the first logs all keys, the second some of them again.
    private func board(sealedFor ownerKey: TestKey?) throws -> SealedBoard {
        let board = try SealedBoard()
        let today = Self.today
        let said = [
            [
                root(.herald, from: today - 56, 1), root(.covidTracer, from: today - 10, 2),
                root(.herald, from: today + 9, 3), root(.herald, from: today - 55, 4),
                key(from: (today - 1) * 144 + 6, 5), key(from: today * 144, 7),
            ],
            [key(from: today * 144, 6), root(.herald, from: today - 55, 4)],
        ]
        for boot in 1...2 as ClosedRange<UInt64> {
            let entries = TestLog.entries(boot: boot, trackCount: 80)
            try board.run(
                boot: boot, sealedFor: ownerKey?.publicHalf,
                entries: entries.prefix(2) + said[Int(boot) - 1] + entries.dropFirst(2))
        }
        return board
    }

    private func bytes(_ archive: Archive, _ board: SealedBoard, _ scheme: SchemeID) throws -> [UInt8] {
        try archive.ownKeys(of: board.identity, scheme).map { $0.bytes[0] }
    }

    @Test(arguments: [false, true])
    func `Each key is present once, in the order of the log`(isSealed: Bool) throws {
        let ownerKey = try TestKey()
        let board = try board(sealedFor: isSealed ? ownerKey : nil)
        let archive = try Archive(inMemoryNamed: "own keys", admitting: .unverified)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
        #expect(try archive.ownKeys(of: board.identity, .herald).isEmpty == isSealed)
        for _ in 1...2 { try archive.decodePages(of: board.identity, keys: ownerKey.ownerKey) }
        #expect(try bytes(archive, board, .herald) == [1, 3, 4])
        #expect(try bytes(archive, board, .covidTracer) == [2])
        #expect(try bytes(archive, board, .exposureNotification) == [5, 7, 6])
        #expect(try archive.ownKeys(of: board.identity, .sonar).isEmpty)
        let first = try #require(try archive.ownKeys(of: board.identity, .exposureNotification).first)
        #expect((first.firstPeriod, first.periodCount) == ((Self.today - 1) * 144 + 6, 138))
        #expect(first.bytes == [UInt8](repeating: 5, count: 16))
    }

    @Test func `Forgetting segments removes only keys that have expired`() throws {
        let ownerKey = try TestKey()
        let board = try board(sealedFor: ownerKey)
        let archive = try Archive(inMemoryNamed: "own keys", admitting: .unverified)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity, keys: ownerKey.ownerKey)
        let plan = try #require(
            try archive.forgettingPlan(of: board.identity, before: noon + 2 * Self.hour))
        #expect(plan.segmentCount > 1)
        try archive.forget(plan, keys: ownerKey.ownerKey, now: noon)
        #expect(try bytes(archive, board, .herald) == [3, 4])
        #expect(try bytes(archive, board, .covidTracer) == [2])
        #expect(try bytes(archive, board, .exposureNotification) == [7, 6])
    }

    @Test func `Redacting a contact keeps the board's own keys`() throws {
        let board = try board(sealedFor: nil)
        let archive = try Archive(inMemoryNamed: "own keys", admitting: .unverified)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
        let track = try #require(try archive.history(of: board.identity).boots.first?.tracks.first)
        let identity = try #require(track.identifications.first?.identity)
        let plan = try archive.redactionPlan(
            of: board.identity, forgetting: identity, keys: .none, now: noon)
        #expect(!plan.isEmpty)
        try archive.redact(plan, keys: .none)
        #expect(try bytes(archive, board, .herald) == [1, 3, 4])
    }
}
