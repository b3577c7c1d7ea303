import Archive
import Cryptography
import EncounterLog
import FixedMemory
import LogContents
import TestSupport
import Testing

@Suite struct SealedLogTests {
    private let board: SealedBoard
    private let first: TestKey
    private let second: TestKey
    private let archive: Archive

    /// Two boots with different owner keys.
    init() throws {
        board = try SealedBoard()
        first = try TestKey()
        second = try TestKey()
        try board.run(
            boot: 1, sealedFor: first.publicHalf, entries: TestLog.entries(boot: 1, trackCount: 40))
        try board.run(
            boot: 2, sealedFor: second.publicHalf, entries: TestLog.entries(boot: 2, trackCount: 40))
        archive = try Archive(inMemoryNamed: "test")
    }

    private var both: OwnerKeys { get throws { try OwnerKeys(scalars: [first.scalar, second.scalar]) } }

    @Test func `with the owner key, the archive has what the board wrote`() throws {
        try board.fetch(into: archive)
        let summary = try archive.decodePages(of: board.identity, keys: both)
        #expect(summary.lockedPages.isEmpty)
        #expect(summary.damagedPageCount == 0)
        let history = try archive.history(of: board.identity)
        #expect(history.boots.map(\.identifier) == [1, 2])
        #expect(history.boots.map(\.tracks.count) == [40, 40])
        #expect(history.holes.isEmpty)
    }

    @Test func `without the owner key, every page is stored and the fingerprint of its key is known`() throws
    {
        try board.fetch(into: archive)
        let summary = try archive.decodePages(of: board.identity)
        #expect(summary.damagedPageCount == 0)
        #expect(summary.entryCount == 0)
        #expect(summary.lockedPages.map(\.fingerprint) == [first, second].map(\.publicHalf.fingerprint))
        #expect(summary.lockedPages.pageCount == summary.pageCount)
        #expect(try archive.lockedPages(of: board.identity) == summary.lockedPages)
        let contents = try archive.contents(of: board.identity)
        #expect(contents.damagedPageCount == 0)
        #expect(contents.lockedPageCount == summary.pageCount)
        for segment in board.segments {
            #expect(try archive.bytes(ofSegment: segment.ordinal, of: board.identity) == segment.bytes)
        }
        #expect(try archive.decodePages(of: board.identity) == ImportSummary())
    }

    @Test func `locked pages are a hole in the history, not damage`() throws {
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity, keys: first.ownerKey)
        let history = try archive.history(of: board.identity)
        #expect(history.boots.map(\.identifier) == [1])
        #expect(history.holes.map(\.kind) == [.locked])
        #expect(history.holes.first?.before != nil)
        let timeline = try #require(
            CoverageAssembly.timelines(of: history, until: noon + .days(1)).first)
        #expect(timeline.blind.last?.cause == .logClosed)
    }

    /// An archive may be decrypted with one key today and with another one next week.
    @Test(arguments: [[0], [1], [0, 1], [1, 0]])
    func `pages that are decrypted later give the same history`(order: [Int]) throws {
        let keys = [first, second]
        let expected = try Archive(inMemoryNamed: "expected")
        try board.fetch(into: expected)
        try expected.decodePages(
            of: board.identity, keys: OwnerKeys(scalars: order.sorted().map { keys[$0].scalar }))

        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
        var openedCount = 0
        for index in order {
            let summary = try archive.decodePages(of: board.identity, keys: keys[index].ownerKey)
            openedCount += summary.pageCount
            #expect(summary.entryCount > 0)
        }
        #expect(openedCount > 0)
        #expect(try archive.history(of: board.identity) == expected.history(of: board.identity))
        #expect(try archive.contents(of: board.identity) == expected.contents(of: board.identity))
        #expect(try archive.lockedPages(of: board.identity) == expected.lockedPages(of: board.identity))
    }

    @Test func `another owner key decrypts nothing`() throws {
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
        let closed = try archive.lockedPages(of: board.identity)
        #expect(try archive.decodePages(of: board.identity, keys: TestKey().ownerKey) == ImportSummary())
        #expect(try archive.lockedPages(of: board.identity) == closed)
    }

    @Test func `a page that was changed counts as damaged after decryption`() throws {
        let place = try #require(
            PageForge.pages(
                of: board.segments[0].bytes, ordinal: board.segments[0].ordinal, board.medium.geometry
            ).last)
        try board.fetch(into: archive) { ordinal, bytes in
            guard ordinal == board.segments[0].ordinal else { return }
            PageForge.change(&bytes, at: place, ordinal: ordinal) { page in page[page.count - 20] ^= 1 }
        }
        #expect(try archive.decodePages(of: board.identity).damagedPageCount == 0)
        let summary = try archive.decodePages(of: board.identity, keys: both)
        #expect(summary.damagedPageCount == 1)
        #expect(try archive.lockedPages(of: board.identity).isEmpty)
        #expect(try archive.history(of: board.identity).holes.map(\.kind) == [.damaged])
    }
}
