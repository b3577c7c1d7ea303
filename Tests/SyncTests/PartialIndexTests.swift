import Archive
import BoardLink
import BoardTestSupport
import DeviceSync
import Testing

@testable import Sync

/// A long log has a long index, so the host only requests the part that may contain new segments.
@Suite struct PartialIndexTests {
    private let board: ServedBoard
    private let archive: Archive

    init() throws {
        board = try ServedBoard()
        try board.record(100)
        archive = try Archive(inMemoryNamed: "test")
    }

    @Test func `the first run requests everything and the next from the open segment on`() throws {
        // The signed end of the log is in the last segment, which counts as open.
        let closed = board.segments().dropLast()
        #expect(closed.count > 5)
        #expect(try Set(indexPaths()) == ["/index"])
        #expect(try Set(indexPaths()) == [Self.path(from: UInt32(closed.count))])
        try board.record(30)
        #expect(try Set(indexPaths()) == [Self.path(from: UInt32(closed.count))])
        try expectAll()
    }

    @Test func `a board that has only the whole index is asked for it`() throws {
        board.servesPartOfIndex = false
        _ = try indexPaths()
        try board.record(30)
        #expect(try Set(indexPaths()).contains("/index"))
        try expectAll()
    }

    @Test func `a segment that is missing here is requested again`() throws {
        try board.register(in: archive)
        for segment in board.segments() where segment.ordinal != 2 && segment.isComplete {
            try archive.append(
                board.bytes(ofSegment: segment.ordinal), at: 0, segment: segment.ordinal, of: board.identity)
            try archive.markComplete(segment: segment.ordinal, of: board.identity, isVerified: true)
        }
        #expect(try Set(indexPaths()) == [Self.path(from: 2)])
        try expectAll()
    }

    @Test func `overwritten segments are not waited for`() throws {
        let small = try ServedBoard(segmentCount: 4)
        try small.record(4)
        try sync(small)
        try small.record(200)
        try sync(small)
        let oldest = try #require(small.segments().first?.ordinal)
        let first = try archive.firstWantedSegment(of: small.identity, boot: 7)
        #expect(first > oldest)
        // Another boot of the agent may be able to read more segments again.
        #expect(try archive.firstWantedSegment(of: small.identity, boot: 8) < oldest)
    }

    /// Index lines move up when the oldest segment is erased, so a line may be missed between two pieces.
    @Test func `a ring that advances while its index is read loses nothing that still exists`() throws {
        var missedAtFirst = 0
        for turn in 0..<24 {
            let small = try ServedBoard(segmentCount: 12)
            try small.record(220)
            let archive = try Archive(inMemoryNamed: "test")
            let channel = PipeChannel(small)
            channel.tamper = { request, _ in
                guard request == turn else { return }
                #expect(throws: Never.self) { try small.record(16) }
            }
            _ = try Synchroniser(
                client: BoardClient.test(channel), archive: archive, options: .fetching
            ).run()
            let stored = try archive.segments(of: small.identity).map(\.ordinal)
            let listed = small.segments().map(\.ordinal).filter { $0 < stored.max() ?? 0 }
            missedAtFirst += listed.allSatisfy(stored.contains) ? 0 : 1
            try sync(small, into: archive)
            for segment in small.segments() {
                #expect(
                    try archive.bytes(ofSegment: segment.ordinal, of: small.identity)
                        == small.bytes(ofSegment: segment.ordinal), "turned at request \(turn)")
            }
        }
        #expect(missedAtFirst > 0)
    }

    @Test func `the oldest wanted segment of an unknown board is the first`() throws {
        #expect(try archive.firstWantedSegment(of: board.identity, boot: 7) == 0)
    }

    @Test func `an index from a segment on has only later segments`() throws {
        let client = BoardClient.test(PipeChannel(board))
        let all = try client.index().segments
        for first in [1, 3, all.count - 1, all.count] {
            #expect(try client.index(from: UInt32(first)).segments == Array(all[first...]))
        }
    }

    /// The paths of the indexes that one run requests.
    private func indexPaths() throws -> [String] {
        try sync(board).map(\.path).filter { $0.hasPrefix("/index") }
    }

    @discardableResult
    private func sync(_ board: ServedBoard, into other: Archive? = nil) throws -> [PipeChannel.Ask] {
        let channel = PipeChannel(board)
        let archive = other ?? archive
        _ = try Synchroniser(
            client: BoardClient.test(channel), archive: archive, options: .fetching
        ).run()
        return channel.asks
    }

    private func expectAll() throws {
        for segment in board.segments() {
            #expect(
                try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
                    == board.bytes(ofSegment: segment.ordinal))
        }
    }

    private static func path(from ordinal: UInt32) -> String {
        let digits = String(ordinal)
        return "/index/" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
