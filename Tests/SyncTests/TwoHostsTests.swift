import Archive
import BoardLink
import BoardTestSupport
import Testing

@testable import Sync

/// Two operators fetch from one board, one after the other, without affecting each other's data.
@Suite struct TwoHostsTests {
    private let board: ServedBoard
    private let first: Archive
    private let second: Archive

    init() throws {
        board = try ServedBoard()
        first = try Archive(inMemoryNamed: "first", admitting: .unverified)
        second = try Archive(inMemoryNamed: "second")
    }

    @Test func `each host fetches everything, whatever the other has`() throws {
        for turn in 0..<12 {
            try board.record(5, commits: turn % 2 == 0)
            try sync(turn % 3 == 0 ? second : first)
        }
        try expectSame()
    }

    @Test func `each host continues where it was interrupted`() throws {
        try board.record(30)
        for requests in stride(from: 12, to: 44, by: 2) {
            try board.record(1)
            _ = try? sync(first, requests: requests)
            _ = try? sync(second, requests: requests / 2)
        }
        try expectSame()
    }

    @Test func `one host may have what the other has missed`() throws {
        let small = try ServedBoard(segmentCount: 4, hasKeys: false)
        try small.record(4)
        try sync(second, from: small)
        for _ in 0..<40 {
            try small.record(4)
            try sync(first, from: small)
        }
        #expect(try sync(second, from: small).missedSegmentCount > 0)
        #expect(try first.encounters().count == 164)
        let ofSecond = try second.segments(of: small.identity)
        for segment in ofSecond {
            let bytes = try second.bytes(ofSegment: segment.ordinal, of: small.identity)
            #expect(
                try first.bytes(ofSegment: segment.ordinal, of: small.identity).prefix(bytes.count)
                    == bytes[...])
        }
        #expect(try ofSecond.count < first.segments(of: small.identity).count)
    }

    private func expectSame() throws {
        try sync(first)
        try sync(second)
        // Fetches the entries that the board logged on the acknowledgements.
        for archive in [first, second] { try sync(archive, acknowledges: false) }
        #expect(try ArchiveContents(first) == ArchiveContents(second))
        let third = try Archive(inMemoryNamed: "third")
        try sync(third, acknowledges: false)
        #expect(try ArchiveContents(first) == ArchiveContents(third))
    }

    @discardableResult
    private func sync(
        _ archive: Archive, from other: ServedBoard? = nil, requests: Int = .max,
        acknowledges: Bool = true
    ) throws -> SyncSummary {
        var options = Synchroniser.Options.trusting
        options.acknowledges = acknowledges
        let channel = PipeChannel(other ?? board)
        channel.requestsUntilBreak = requests
        return try Synchroniser(
            client: BoardClient.test(channel), archive: archive, options: options
        ).run()
    }
}
