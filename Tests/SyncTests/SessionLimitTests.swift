import Archive
import BoardLink
import BoardTestSupport
import FixedMemory
import Testing

@testable import Sync

/// Limits that a session of an honest board does not reach.
@Suite struct SessionLimitTests {
    @Test func `a board that sends almost nothing in a minute ends the session`() throws {
        var pace = ProgressGuard(now: .start)
        try pace.add(ProgressGuard.leastByteCount - 1, now: .start + .seconds(59))
        #expect(throws: SyncError.overLimit(.tooSlow)) { try pace.add(0, now: .start + .seconds(60)) }
    }

    @Test func `a slow board that gets on may take its time`() throws {
        var pace = ProgressGuard(now: .start)
        for minute in 1...60 as ClosedRange<UInt64> {
            try pace.add(ProgressGuard.leastByteCount, now: .start + .minutes(minute))
        }
    }

    @Test func `an untrusted board may store only so much, and a trusted one all`() throws {
        let board = try ServedBoard()
        try board.record(30)
        let archive = try Archive(inMemoryNamed: "test")
        var options = Synchroniser.Options()
        options.untrustedByteLimit = board.retainedByteCount - 1
        func sync() throws -> SyncSummary {
            try Synchroniser(
                client: BoardClient.test(PipeChannel(board)), archive: archive, options: options
            ).run()
        }
        #expect(throws: SyncError.overLimit(.tooLarge)) { try sync() }
        #expect(try archive.untrustedBoards().map(\.byteCount) == [0])
        options.trust = .newBoards
        #expect(try sync().fetchedByteCount > options.untrustedByteLimit)
    }
}
