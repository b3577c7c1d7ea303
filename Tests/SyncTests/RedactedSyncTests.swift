import Archive
import BoardLink
import BoardTestSupport
import DeviceSync
import EncounterLog
import FixedMemory
import Testing

@testable import Sync

/// Forgotten entries of a segment are not fetched again while the board still has them; its other data is
/// fetched.
@Suite struct RedactedSyncTests {
    private let board: ServedBoard
    private let archive: Archive

    init() throws {
        board = try ServedBoard()
        try board.record(60)
        archive = try Archive(inMemoryNamed: "test")
        try sync()
    }

    @discardableResult
    private func sync() throws -> SyncSummary {
        try Synchroniser(
            client: BoardClient.test(PipeChannel(board)), archive: archive, options: .trusting
        ).run()
    }

    /// The identity of the peer that the board met in this encounter.
    private func peer(_ number: UInt8) -> Identity {
        Identity(scheme: SchemeCode(.herald), payload: [0x10] + [UInt8](repeating: number, count: 20))
    }

    private func forget(_ number: UInt8) throws {
        let plan = try archive.redactionPlan(
            of: board.identity, forgetting: peer(number), keys: .none, now: 1)
        #expect(!plan.isEmpty)
        try archive.redact(plan, keys: .none)
    }

    private func peers() throws -> Set<Identity> { Set(try archive.encounters().compactMap(\.identity)) }

    private func segment(_ ordinal: UInt32) throws -> StoredSegment {
        try #require(try archive.segments(of: board.identity).first { $0.ordinal == ordinal })
    }

    /// The number of bytes on the board that the archive has not fetched yet, such as the entry about the
    /// acknowledgement.
    private func unfetchedByteCount() throws -> Int {
        let stored = try archive.segments(of: board.identity).reduce(0) { $0 + $1.byteCount }
        return board.retainedByteCount - stored
    }

    private func expectOnlyNew(_ summary: SyncSummary, of byteCount: Int) {
        #expect(summary.fetchedByteCount == byteCount)
        #expect(summary.branchedSegments.isEmpty)
        #expect(summary.differingSegments.isEmpty)
        guard case .done = summary.acknowledgement else {
            Issue.record("what is here is as the board says: \(summary.acknowledgement)")
            return
        }
    }

    @Test func `redacted pages are not fetched again`() throws {
        try forget(20)
        let new = try unfetchedByteCount()
        try expectOnlyNew(sync(), of: new)
        #expect(try peers() == Set((1...60).filter { $0 != 20 }.map(peer)))
    }

    /// Uses the newest segment, to which the board still appends.
    @Test func `a segment that grows is compared behind its redacted pages`() throws {
        try forget(60)
        let changed = try #require(
            try archive.segments(of: board.identity).last { $0.changedByteCount > 0 })
        #expect(!changed.isComplete)
        try board.record(20)
        let new = try unfetchedByteCount()
        try expectOnlyNew(sync(), of: new)
        #expect(try segment(changed.ordinal).isComplete && segment(changed.ordinal).isVerified)
        #expect(try peers() == Set((1...80).filter { $0 != 60 }.map(peer)))
        #expect(try archive.verify(board.identity).severity == .note)
    }

    /// A page that lost all its entries still counts as the page that the board has signed.
    @Test func `the log may end with redacted pages`() throws {
        try board.record(1)
        var options = Synchroniser.Options.trustingReader
        options.name = "Foyer"
        let client = BoardClient.test(PipeChannel(board))
        _ = try Synchroniser(client: client, archive: archive, options: options).run()
        try forget(61)
        let newest = try #require(board.segments().last)
        #expect(try segment(newest.ordinal).changedByteCount == newest.byteCount)
        try expectOnlyNew(sync(), of: 0)
    }

    @Test func `only the bytes after redacted pages are fetched into a branch`() throws {
        try forget(60)
        try board.record(2)
        let last = try #require(try archive.segments(of: board.identity).last)
        let wrong = [UInt8](repeating: 7, count: 40)
        try archive.append(wrong, at: last.byteCount, segment: last.ordinal, of: board.identity)
        let summary = try sync()
        #expect(summary.branchedSegments.count == 1)
        #expect(summary.differingSegments.isEmpty)
        #expect(try !peers().contains(peer(60)))
        #expect(try peers().isSuperset(of: [peer(61), peer(62)]))
    }
}
