import Archive
import BoardLink
import BoardTestSupport
import DeviceSync
import FixedMemory
import Sync
import Testing

/// Somebody between a board and the computer lets the true board prove itself, and then changes its log, its
/// index and the hashes over both. The goal: the board gets an acknowledgement for pages that nobody has
/// received, and erases them. Only the signed end of the log shows it.
@Suite struct SomebodyOnTheLineTests {
    private let archive: Archive
    private let board: ServedBoard
    /// The segment in which the stored log ends.
    private let stored: UInt32

    init() throws {
        archive = try Archive(inMemoryNamed: "line")
        board = try ServedBoard()
        try board.record(30)
        _ = try Self.sync(board, into: archive, .newBoards)
        stored = try #require(archive.segments(of: board.identity).last).ordinal
        try board.record(90)
    }

    private static func sync(
        _ board: ServedBoard, into archive: Archive, _ trust: TrustPolicy = .none, requests: Int = .max
    ) throws -> SyncSummary {
        let channel = PipeChannel(board)
        channel.requestsUntilBreak = requests
        var options = Synchroniser.Options()
        options.trust = trust
        let client = BoardClient.test(channel)
        return try Synchroniser(client: client, archive: archive, options: options).run()
    }

    @discardableResult
    private func sync(requests: Int = .max) throws -> SyncSummary {
        try Self.sync(board, into: archive, requests: requests)
    }

    enum Change: CaseIterable {
        case onePage, firstPage, firstPagesBlank, allButTheEndBlank
        case segmentLeftOut, firstSegmentsLeftOut, allButTheEndLeftOut, segmentCutShort
    }

    private func apply(_ change: Change) throws {
        let last = try #require(board.segments().last)
        let end = last.byteCount - ServedBoard.blockByteCount
        let first = stored + 1
        switch change {
        case .onePage: board.changesByte = { $0 == first + 1 && $1 == 300 ? 0 : $2 }
        case .firstPage: board.changesByte = { $0 == first && $1 == 40 ? 0 : $2 }
        case .firstPagesBlank: board.changesByte = { $0 == first && $1 < 512 ? 0xff : $2 }
        case .allButTheEndBlank:
            board.changesByte = { $0 >= first && ($0 < last.ordinal || $1 < end) ? 0xff : $2 }
        case .segmentLeftOut: board.tampersIndex = { $0.removeAll { $0.ordinal == first + 1 } }
        case .firstSegmentsLeftOut:
            board.tampersIndex = { $0.removeAll { (first...first + 1).contains($0.ordinal) } }
        case .allButTheEndLeftOut: board.tampersIndex = { $0.removeAll { $0.ordinal < last.ordinal } }
        case .segmentCutShort:
            board.tampersIndex = { segments in
                for index in segments.indices where segments[index].ordinal == first + 1 {
                    segments[index].byteCount = 512
                }
            }
        }
    }

    private func letGo() {
        board.changesByte = { $2 }
        board.tampersIndex = { _ in }
    }

    /// Expects that the true board's next fetches bring all of its log.
    private func expectComplete() throws {
        letGo()
        for _ in 0..<2 { try sync() }
        for segment in board.segments() {
            let bytes = try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
            // The board has written since that it was acknowledged.
            #expect(try board.bytes(ofSegment: segment.ordinal).starts(with: bytes), "\(segment.ordinal)")
            #expect(bytes.count == segment.byteCount || segment.ordinal == board.segments().last?.ordinal)
        }
    }

    @Test(arguments: Change.allCases) func `what is changed on the way is not acknowledged`(
        _ change: Change
    ) throws {
        try apply(change)
        let before = board.syncedThrough
        let summary = try sync()
        #expect(!summary.unchainedSegments.isEmpty)
        #expect(board.syncedThrough == before)
        try expectComplete()
        #expect(board.syncedThrough > before)
    }

    @Test(arguments: [Change.onePage, .firstPage, .firstPagesBlank, .allButTheEndBlank])
    func `nor does it count as fetched when the line is cut`(_ change: Change) throws {
        try apply(change)
        let before = board.syncedThrough
        #expect(throws: (any Error).self) { try sync(requests: 40) }
        #expect(try #require(archive.segments(of: board.identity).last).ordinal > stored + 1)
        let summary = try sync()
        #expect(!summary.unchainedSegments.isEmpty)
        #expect(board.syncedThrough == before)
        try expectComplete()
    }

    @Test func `a first fetch without the oldest segments is not acknowledged`() throws {
        let other = try Archive(inMemoryNamed: "other")
        board.tampersIndex = { $0.removeFirst(2) }
        let before = board.syncedThrough
        let summary = try Self.sync(board, into: other, .newBoards)
        #expect(!summary.unchainedSegments.isEmpty && board.syncedThrough == before)
    }

    @Test func `the end of the log stays open, whatever the index says`() throws {
        board.tampersIndex = { segments in
            for index in segments.indices { segments[index].isOpen = false }
        }
        try sync()
        try board.record(90)
        try expectComplete()
    }

    @Test func `an untrusted board's log chains, too`() throws {
        let other = try ServedBoard(identity: 77)
        try other.record(40)
        let summary = try Self.sync(other, into: archive)
        #expect(summary.isUntrusted && summary.unchainedSegments.isEmpty)
    }
}
