import Archive
import EncounterLog
import FixedMemory
import Foundation
import Testing

/// Forgotten data disappears from the archive's file, and verification does not report it as lost.
@Suite final class ForgettingTests {
    private let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
    private let ownerKey: TestKey
    private static let hour = Interval.hours(1)

    init() throws { ownerKey = try TestKey() }

    deinit {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + ending)
        }
    }

    /// Two boots, at 13:00 and 14:00 of one day, each with a known message.
    private func board(sealed: Bool) throws -> SealedBoard {
        let board = try SealedBoard()
        for boot in 1...2 as ClosedRange<UInt64> {
            var entries = TestLog.entries(boot: boot, trackCount: 80)
            entries.insert(
                .message(
                    MessageEntry(encounter: nil, instant: 800, data: Self.buffer(Self.words(boot)))),
                at: 2)
            try board.run(boot: boot, sealedFor: sealed ? ownerKey.publicHalf : nil, entries: entries)
        }
        return board
    }

    private static func words(_ boot: UInt64) -> String { "what was said in start \(boot)" }

    private static func buffer(_ text: String) -> FixedBuffer<512> {
        FixedBuffer<512>(Array(text.utf8).span) ?? FixedBuffer()
    }

    private func archive(of board: SealedBoard) throws -> Archive {
        let archive = try Archive(path: file.path)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity, keys: ownerKey.ownerKey)
        return archive
    }

    /// True if the boot's message occurs anywhere in the archive's files.
    private func holds(_ boot: UInt64) throws -> Bool {
        try ["", "-wal", "-shm"].contains { ending in
            guard FileManager.default.fileExists(atPath: file.path + ending) else { return false }
            let bytes = try Data(contentsOf: URL(filePath: file.path + ending))
            return bytes.range(of: Data(Self.words(boot).utf8)) != nil
        }
    }

    private func forget(_ archive: Archive, _ board: SealedBoard, before time: WallClockTime) throws
        -> ForgettingPlan
    {
        let plan = try #require(try archive.forgettingPlan(of: board.identity, before: time))
        try archive.forget(plan, keys: ownerKey.ownerKey, now: noon)
        return plan
    }

    @Test(arguments: [false, true])
    func `older segments disappear from the file and the others stay`(sealed: Bool) throws {
        let board = try board(sealed: sealed)
        let archive = try archive(of: board)
        #expect(try holds(1) && holds(2))
        let entryCount = try archive.contents(of: board.identity).entryCount
        let plan = try forget(archive, board, before: noon + 2 * Self.hour)
        #expect(plan.segmentCount > 1)
        #expect(plan.entryCount > 0)
        #expect(plan.latestTime < noon + 2 * Self.hour)
        #expect(plan.openedWith == (sealed ? [ownerKey.publicHalf.fingerprint] : []))
        #expect(try !holds(1))
        #expect(try holds(2))
        let left = try archive.contents(of: board.identity)
        #expect(left.entryCount == entryCount - plan.entryCount)
        #expect(left.lockedPageCount == 0)
        #expect(try archive.segments(of: board.identity).first?.ordinal == plan.beforeOrdinal)
    }

    @Test func `verification reports the forgotten segments and misses none`() throws {
        let board = try board(sealed: true)
        let archive = try archive(of: board)
        let plan = try forget(archive, board, before: noon + 2 * Self.hour)
        let result = try archive.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(result.severity == .note, "\(result.findings)")
        let finding = try #require(
            result.findings.first { $0.kind == .forgotten(noon) })
        #expect(finding.position == LogPosition(segmentOrdinal: plan.beforeOrdinal, byteOffset: 0))
        #expect(try archive.history(of: board.identity).holes.isEmpty)
    }

    /// A missing segment behind the forgotten part is still reported.
    @Test func `other missing segments are still reported`() throws {
        let board = try board(sealed: true)
        let archive = try archive(of: board)
        let plan = try forget(archive, board, before: noon + 2 * Self.hour)
        let other = try Archive(inMemoryNamed: "with a hole")
        let missing = plan.beforeOrdinal
        try board.fetch(into: other, leavingOut: { $0 == missing })
        try other.decodePages(of: board.identity, keys: ownerKey.ownerKey)
        let second = try #require(
            try other.forgettingPlan(of: board.identity, before: noon + 2 * Self.hour))
        #expect(second.beforeOrdinal == missing + 1)
        let result = try other.verify(board.identity, keys: ownerKey.ownerKey)
        #expect(result.findings.map(\.kind).contains(.segmentsMissing(count: 1)))
    }

    @Test func `younger segments and the newest stay`() throws {
        let board = try board(sealed: false)
        let archive = try archive(of: board)
        #expect(try archive.forgettingPlan(of: board.identity, before: noon) == nil)
        let plan = try forget(archive, board, before: noon + 100 * Self.hour)
        let segments = try archive.segments(of: board.identity)
        #expect(segments.map(\.ordinal) == [plan.beforeOrdinal])
        #expect(try archive.forgettingPlan(of: board.identity, before: noon + 100 * Self.hour) == nil)
    }

    /// The age of locked pages is unknown.
    @Test func `locked segments are not forgotten`() throws {
        let board = try board(sealed: true)
        let archive = try Archive(path: file.path)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
        #expect(try archive.forgettingPlan(of: board.identity, before: noon + 100 * Self.hour) == nil)
    }
}
