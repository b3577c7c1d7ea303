import Archive
import EncounterLog
import FixedMemory
import LogContents
import Testing

/// Peers cannot distinguish two boards that serve the same payload.
@Suite struct NamesakeTests {
    private let archive: Archive
    private let board: SealedBoard

    init() throws {
        archive = try Archive(inMemoryNamed: "duplicateIdentities", admitting: .unverified)
        board = try Self.board(1, serving: [0x10, 1], anchoredAt: noon)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
    }

    /// A board that ran for ten minutes. `anchoredAt`: the wall time of its monotonic zero.
    private static func board(
        _ number: UInt8, serving payload: [UInt8], anchoredAt wallClock: WallClockTime?
    ) throws -> SealedBoard {
        let board = try SealedBoard(firstIdentityByte: number)
        guard let identity = FixedBuffer<512>(payload.span) else { preconditionFailure("a few bytes fit") }
        var entries: [LogEntry] = [
            .boot(
                BootEntry(
                    bootIdentifier: UInt64(number), instant: 500, softwareVersion: Bytes<3>(),
                    sampleLength: 8_000, encounterTimeout: 30_000, lossWindow: 30_000, role: .beacon))
        ]
        if let wallClock {
            entries.append(
                .anchor(
                    AnchorEntry(
                        instant: 0, wallClock: wallClock, errorMilliseconds: 25, source: .systemClock)))
        }
        entries += [
            .ownIdentity(
                OwnIdentityEntry(
                    instant: 700, address: Bytes<6>(), addressType: 1, scheme: SchemeCode(.herald),
                    identity: identity)),
            .coverage(
                CoverageEntry(start: 500, end: 600_000, reports: 1, malformed: 0, dropped: 0, evicted: 0)),
        ]
        try board.run(boot: UInt64(number), sealedFor: nil, entries: entries)
        return board
    }

    /// The boards that the archive reports as duplicates of the first board, after adding another board.
    private func duplicateIdentities(beside other: SealedBoard) throws -> [LogIdentity] {
        try other.fetch(into: archive)
        try archive.decodePages(of: other.identity)
        let theirs = try archive.duplicateIdentities(of: other.identity)
        let ours = try archive.duplicateIdentities(of: board.identity)
        #expect(ours.isEmpty == theirs.isEmpty, "it holds both ways")
        return ours
    }

    @Test(arguments: [.zero, .minutes(5)] as [Interval])
    func `X8: two boards that served the same payload at the same time are duplicates`(later: Interval) throws
    {
        let other = try Self.board(100, serving: [0x10, 1], anchoredAt: noon + later)
        #expect(try duplicateIdentities(beside: other) == [other.identity])
    }

    @Test func `the archive knows which identities each board served`() throws {
        let other = try Self.board(100, serving: [0x10, 2], anchoredAt: nil)
        let silent = try Self.board(50, serving: [], anchoredAt: noon)
        for each in [other, silent] {
            try each.fetch(into: archive)
            try archive.decodePages(of: each.identity)
        }
        let served = try archive.servedIdentities()
        #expect(served.map(\.board) == [board, other, silent].map(\.identity))
        #expect(served.map { $0.identities.map(\.payload) } == [[[0x10, 1]], [[0x10, 2]], []])
        #expect(served.first?.label == board.identity.short)
    }

    @Test func `boards in succession are not duplicates, because a log may have been started again`() throws {
        let other = try Self.board(100, serving: [0x10, 1], anchoredAt: noon + 600_000)
        #expect(try duplicateIdentities(beside: other).isEmpty)
    }

    @Test func `boards with different payloads are not duplicates`() throws {
        let other = try Self.board(100, serving: [0x10, 2], anchoredAt: noon)
        #expect(try duplicateIdentities(beside: other).isEmpty)
    }

    @Test func `boards without an identity are not duplicates`() throws {
        let silent = try Self.board(50, serving: [], anchoredAt: noon)
        try silent.fetch(into: archive)
        try archive.decodePages(of: silent.identity)
        let other = try Self.board(100, serving: [], anchoredAt: noon)
        #expect(try duplicateIdentities(beside: other).isEmpty)
        #expect(try archive.duplicateIdentities(of: silent.identity).isEmpty)
    }

    @Test func `a board whose clock was never set is not reported as a duplicate`() throws {
        let other = try Self.board(100, serving: [0x10, 1], anchoredAt: nil)
        #expect(try duplicateIdentities(beside: other).isEmpty)
    }
}
