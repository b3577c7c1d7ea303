import Archive
import BoardLink
import BoardTestSupport
import DeviceSync
import Testing

@testable import Sync

@Suite struct SynchroniserTests {
    private let board: ServedBoard
    private let archive: Archive

    init() throws {
        board = try ServedBoard()
        try board.record(40)
        archive = try Archive(inMemoryNamed: "test")
    }

    @Test func `the archive has what the board has`() throws {
        let summary = try sync(PipeChannel(board))
        try expectSame()
        #expect(summary.fetchedByteCount == board.retainedByteCount)
        #expect(summary.decoded.damagedPageCount == 0)
        #expect(summary.verifiedSegmentCount == board.segments().filter(\.isComplete).count)
        #expect(summary.differingSegments.isEmpty && summary.missedSegmentCount == 0)
        #expect(try archive.encounters().count == 40)
    }

    @Test func `a second run requests nothing`() throws {
        try sync(PipeChannel(board))
        let channel = PipeChannel(board)
        let summary = try sync(channel)
        #expect(summary.fetchedByteCount == 0)
        #expect(channel.asks.allSatisfy { !$0.isLog })
        #expect(summary.decoded == ImportSummary())
    }

    private func name() throws -> String? { try archive.boards().first?.name }

    @Test func `an archive takes the name of the board's own configuration`() throws {
        board.listing = Array("[agent]\nrole = \"wearable\"  # line 2\nname = \"Sam's\"  # line 3\n".utf8)
        try sync(PipeChannel(board))
        #expect(try name() == "Sam's")
        board.listing = Array("[agent]\nname = \"another\"\n".utf8)
        let channel = PipeChannel(board)
        try sync(channel)
        #expect(try name() == "Sam's")
        #expect(!channel.asks.contains { $0.isConfiguration })
    }

    @Test(arguments: [
        "", "[agent]\nname = \"\"\n", "[agent]\nname = \"a\nb\"\n", "nonsense", "[agent]\nname = 5\n",
    ])
    func `a board without a name, or with a configuration that cannot be read, stays nameless`(
        _ listing: String
    ) throws {
        board.listing = Array(listing.utf8)
        try sync(PipeChannel(board))
        #expect(try name() == nil)
        try expectSame()
    }

    @Test func `only new bytes are fetched`() throws {
        try sync(PipeChannel(board))
        let before = board.retainedByteCount
        try board.record(3)
        let summary = try sync(PipeChannel(board))
        #expect(summary.fetchedByteCount == board.retainedByteCount - before)
        try expectSame()
        #expect(try archive.encounters().count == 43)
    }

    @Test func `the oldest bytes are fetched first`() throws {
        let channel = PipeChannel(board)
        try sync(channel)
        let paths = channel.asks.map(\.path).filter { $0 != "/config" && !$0.hasPrefix("/index") }
        #expect(paths == paths.sorted())
    }

    @Test func `a fetch interrupted before any request continues at that byte`() throws {
        let whole = PipeChannel(board)
        try sync(whole, into: Archive(inMemoryNamed: "other"))
        for requests in 0..<whole.logRequestCount {
            let archive = try Archive(inMemoryNamed: "test")
            let broken = PipeChannel(board)
            broken.requestsUntilBreak = requests
            #expect(throws: SyncError.link(.gone(port: "pipe"))) { try sync(broken, into: archive) }
            let mended = PipeChannel(board)
            try sync(mended, into: archive)

            try expectSame(archive)
            let asked = (broken.asks + mended.asks).filter { $0.isLog }
            #expect(Set(asked).count == asked.count, "asked twice when cut at request \(requests)")
        }
    }

    @Test func `only an answer lost on the line is requested twice`() throws {
        let whole = PipeChannel(board)
        try sync(whole, into: Archive(inMemoryNamed: "other"))
        for answers in stride(from: 0, to: whole.logRequestCount, by: 3) {
            let archive = try Archive(inMemoryNamed: "test")
            let broken = PipeChannel(board)
            broken.answersUntilBreak = answers
            #expect(throws: SyncError.link(.gone(port: "pipe"))) { try sync(broken, into: archive) }
            let mended = PipeChannel(board)
            try sync(mended, into: archive)

            try expectSame(archive)
            let asked = (broken.asks + mended.asks).filter { $0.isLog }
            #expect(asked.count - Set(asked).count <= 1)
        }
    }

    @Test func `a fetch that is interrupted again and again completes`() throws {
        var runs = 0
        var asks: [PipeChannel.Ask] = []
        while runs < 1_000 {
            runs += 1
            let channel = PipeChannel(board)
            channel.requestsUntilBreak = 17
            defer { asks += channel.asks.filter { $0.isLog } }
            if (try? sync(channel)) != nil { break }
        }
        #expect(runs > 2 && runs < 1_000)
        #expect(Set(asks).count == asks.count)
        try expectSame()
    }

    @Test func `a stopped fetch loses nothing`() throws {
        var pieces = 0
        let client = BoardClient.test(PipeChannel(board))
        let stopping = Synchroniser(
            client: client, archive: archive, options: .fetching, shouldStop: { pieces > 5 },
            report: { _ in pieces += 1 })
        #expect(throws: SyncError.stopped) { try stopping.run() }
        #expect(try archive.contents(of: board.identity).pageCount > 0)
        try sync(PipeChannel(board))
        try expectSame()
    }

    @Test func `bytes corrupted on the line are requested again`() throws {
        let channel = PipeChannel(board)
        channel.tamper = { request, answer in
            guard request % 5 == 4, answer.count > 12 else { return }
            answer[10] = answer[10] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        }
        let client = BoardClient.test(channel)
        _ = try Synchroniser(client: client, archive: archive, options: .fetching).run()
        try expectSame()
        #expect(client.repeatCount > 3)
    }

    @Test func `a line that echoes does no harm`() throws {
        let channel = PipeChannel(board)
        channel.echoes = true
        try sync(channel)
        try expectSame()
    }

    @Test func `a segment with other bytes than the board's is fetched into a branch, and both stay`() throws
    {
        try board.register(in: archive)
        var wrong = try board.bytes(ofSegment: board.segments()[0].ordinal)
        wrong[300] ^= 4
        try archive.append(wrong, at: 0, segment: board.segments()[0].ordinal, of: board.identity)
        let summary = try sync(PipeChannel(board))
        let first = board.segments()[0].ordinal
        #expect(summary.branchedSegments == [first])
        #expect(try archive.bytes(ofSegment: first, of: board.identity, branch: 0) == wrong)
        try expectSame()
    }

    @Test func `damage on the board is decoded around and not fetched for ever`() throws {
        board.changesByte = { _, offset, byte in offset == 300 ? byte ^ 1 : byte }
        let summary = try sync(PipeChannel(board))
        #expect(summary.branchedSegments.isEmpty)
        #expect(summary.decoded.damagedPageCount == board.segments().count { $0.byteCount > 300 })
        #expect(!summary.unchainedSegments.isEmpty)
        #expect(try !archive.segments(of: board.identity).contains(where: \.isVerified))
        let again = try sync(PipeChannel(board))
        #expect(again.fetchedByteCount == 0 && again.unchainedSegments.isEmpty)
        #expect(try archive.segments(of: board.identity).allSatisfy { $0.isVerified || !$0.isComplete })
    }

    @Test func `the board's clock is set and a clock sample is recorded`() throws {
        let summary = try sync(PipeChannel(board))
        #expect(board.wallClock ?? 0 > 1_577_836_800_000)
        #expect(board.clockErrorMilliseconds ?? 0 > 0)
        #expect(summary.clockError != nil)
        let history = try archive.history(of: board.identity)
        #expect(history.boots.first?.anchors.map(\.instant) == [500_000])
        #expect(try archive.encounters().allSatisfy(\.isOnWallClock))
    }

    @Test func `the clock stays unchanged on request`() throws {
        var options = Synchroniser.Options.fetching
        options.setsClock = false
        options.name = "Foyer"
        let client = BoardClient.test(PipeChannel(board))
        _ = try Synchroniser(client: client, archive: archive, options: options).run()
        #expect(board.wallClock == nil)
        #expect(try archive.boards().map(\.name) == ["Foyer"])
    }

    @Test func `a ring that wrapped is noticed`() throws {
        let small = try ServedBoard(segmentCount: 4)
        try small.record(4)
        try sync(PipeChannel(small))
        try small.record(200)
        let summary = try sync(PipeChannel(small))
        #expect(summary.missedSegmentCount > 0)
        #expect(try archive.segments(of: small.identity).count > 4)
    }

    @Test func `progress ends at its total`() throws {
        var last: SyncProgress?
        let client = BoardClient.test(PipeChannel(board))
        let synchroniser = Synchroniser(
            client: client, archive: archive, options: .fetching,
            report: { progress in
                #expect(progress.fetchedByteCount >= last?.fetchedByteCount ?? 0)
                last = progress
            })
        _ = try synchroniser.run()
        #expect(last?.fetchedByteCount == board.retainedByteCount)
        #expect(last?.totalByteCount == board.retainedByteCount)
    }

    @discardableResult
    private func sync(_ channel: PipeChannel, into other: Archive? = nil) throws -> SyncSummary {
        let client = BoardClient.test(channel)
        return try Synchroniser(client: client, archive: other ?? archive, options: .fetching).run()
    }

    private func expectSame(_ other: Archive? = nil) throws {
        let archive = other ?? archive
        for segment in board.segments() {
            let same =
                try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
                == board.bytes(ofSegment: segment.ordinal)
            #expect(same, "segment \(segment.ordinal)")
        }
        #expect(
            try archive.segments(of: board.identity).map(\.byteCount) == board.segments().map(\.byteCount))
    }
}
