import EncounterLog
import FixedMemory
import Foundation
import LogContents
import TestSupport
import Testing

@testable import Archive

/// The proofs of a page, from its import on.
@Suite struct PageStandingTests {
    private let board: SealedBoard
    private let owner: TestKey
    private let archive: Archive

    init() throws {
        board = try SealedBoard()
        owner = try TestKey()
        archive = try Archive(inMemoryNamed: "standing")
        try run(boot: 1)
    }

    private func run(boot: UInt64, sealed: Bool = true) throws {
        try board.run(
            boot: boot, sealedFor: sealed ? owner.publicHalf : nil,
            entries: TestLog.entries(boot: boot, trackCount: 40))
    }

    private func leftOut(_ archive: Archive, _ board: LogIdentity) throws -> [PageStanding] {
        try archive.leftOutPages(of: board).map(\.standing)
    }

    private func decode() throws { try archive.decodePages(of: board.identity, keys: owner.ownerKey) }

    @Test func `a manifest vouches for all pages before it`() throws {
        try board.fetch(into: archive)
        try decode()
        #expect(try leftOut(archive, board.identity).isEmpty)
        #expect(try archive.encounters().count == 40)
    }

    @Test func `pages behind the last signature count from the next manifest on`() throws {
        try board.fetch(into: archive, signsEnd: false)
        try decode()
        let before = try archive.encounters().count
        #expect(try leftOut(archive, board.identity) == [.beyondSignature])
        try board.fetch(into: archive)
        try decode()
        #expect(try leftOut(archive, board.identity).isEmpty)
        #expect(before < 40)
        #expect(try archive.encounters().count == 40)
    }

    /// A sync without the owner key, after a sync with it.
    @Test func `a page that is signed later, and whose key is missing then, is locked`() throws {
        try board.fetch(into: archive, signsEnd: false)
        try decode()
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity)
        #expect(try !archive.lockedPages(of: board.identity).isEmpty)
        try decode()
        #expect(try archive.lockedPages(of: board.identity).isEmpty)
        #expect(try archive.encounters().count == 40)
    }

    @Test func `fetches in parts and at once give the same tables`() throws {
        let whole = try Archive(inMemoryNamed: "whole")
        for boot in 2...4 as ClosedRange<UInt64> {
            try board.fetch(into: archive, signsEnd: boot != 3)
            try decode()
            try run(boot: boot)
        }
        try board.fetch(into: archive)
        try decode()
        try board.fetch(into: whole)
        try whole.decodePages(of: board.identity, keys: owner.ownerKey)
        #expect(try archive.history(of: board.identity) == whole.history(of: board.identity))
        #expect(try archive.contents(of: board.identity) == whole.contents(of: board.identity))
    }

    @Test func `a hole leaves no sealed page before it unvouched`() throws {
        try run(boot: 2)
        let hole = board.segments[board.segments.count / 2].ordinal
        try board.fetch(into: archive) { ordinal, bytes in if ordinal == hole { bytes[2_000] ^= 1 } }
        try decode()
        #expect(try leftOut(archive, board.identity).isEmpty)
    }

    @Test func `a hole in a log in clear leaves what is before it unsigned`() throws {
        let clear = try SealedBoard(firstIdentityByte: 60)
        try clear.run(boot: 1, sealedFor: nil, entries: TestLog.entries(boot: 1, trackCount: 80))
        let hole = clear.segments[1].ordinal
        try clear.fetch(into: archive) { ordinal, bytes in if ordinal == hole { bytes[2_000] ^= 1 } }
        try archive.decodePages(of: clear.identity)
        #expect(try leftOut(archive, clear.identity) == [.unsigned])
        #expect(try archive.encounters().count < 80)
    }

    @Test func `a log in clear without a manifest is unsigned, and its list is empty`() throws {
        let clear = try SealedBoard(firstIdentityByte: 60)
        try clear.run(boot: 1, sealedFor: nil, entries: TestLog.entries(boot: 1, trackCount: 8))
        try clear.fetch(into: archive, signsEnd: false)
        try archive.decodePages(of: clear.identity)
        #expect(try leftOut(archive, clear.identity) == [.unsigned])
        #expect(try archive.encounters().isEmpty)
    }

    @Test func `a signed log in clear is vouched, and the finding is that anybody could have made it`() throws
    {
        let clear = try SealedBoard(firstIdentityByte: 60)
        try clear.run(boot: 1, sealedFor: nil, entries: TestLog.entries(boot: 1, trackCount: 8))
        try clear.fetch(into: archive)
        try archive.decodePages(of: clear.identity)
        #expect(try leftOut(archive, clear.identity).isEmpty)
        #expect(try archive.verify(clear.identity).findings.map(\.kind) == [.inClear])
    }

    @Test func `pages in clear behind sealed ones are forged while the board has its key`() throws {
        try run(boot: 2, sealed: false)
        try board.fetch(into: archive)
        try decode()
        #expect(try leftOut(archive, board.identity) == [.forged])
        #expect(try archive.history(of: board.identity).boots.map(\.identifier) == [1])
    }

    /// A board that lost its keys file has a new key, and no owner key.
    @Test func `pages in clear behind sealed ones count if another key of the board signs them`() throws {
        try board.fetch(into: archive)
        try board.loseKey()
        try run(boot: 2, sealed: false)
        try board.fetch(into: archive)
        try decode()
        #expect(try leftOut(archive, board.identity).isEmpty)
        #expect(try archive.history(of: board.identity).boots.map(\.identifier) == [1, 2])
    }
}

/// Archives in files, and what this computer knows about them.
@Suite struct ArchiveCustodyTests {
    private let file: ArchiveFile
    private let board: SealedBoard
    private let owner: TestKey
    private var custody = ArchiveCustody(secret: [UInt8](repeating: 3, count: 32))

    init() throws {
        file = try ArchiveFile()
        board = try SealedBoard()
        owner = try TestKey()
        try board.run(
            boot: 1, sealedFor: owner.publicHalf, entries: TestLog.entries(boot: 1, trackCount: 40))
        let archive = try Archive(path: file.path, custody: custody)
        try board.fetch(into: archive, signsEnd: false)
        try archive.decodePages(of: board.identity, keys: owner.ownerKey)
        try archive.close()
    }

    @Test func `unverified pages are shown on request, and the file stays as it is`() throws {
        let before = try file.bytes
        let vouched = try Archive(path: file.path, access: .reading, custody: custody)
        let all = try Archive(
            path: file.path, access: .reading, keys: owner.ownerKey, admitting: .unverified, custody: custody)
        #expect(try vouched.encounters().count < 40)
        #expect(try all.encounters().count == 40)
        try vouched.close()
        try all.close()
        #expect(try file.bytes == before)
    }

    @Test(arguments: [Archive.Access.reading, .existing])
    func `rows that another program wrote are in no list`(access: Archive.Access) throws {
        let before = try Archive(path: file.path, access: .reading, custody: custody)
        let (encounters, stored) = (try before.encounters(), try before.encounterSummaries())
        try before.close()
        try file.change("UPDATE identification SET payload = x'66'; UPDATE sample SET maximumDBm = -1")
        try file.change("UPDATE encounter SET maximumDBm = -1")
        var custody = custody
        custody.hasFilledTables = false
        custody.knownBoards.add(board.key.publicHalf.x963, of: board.identity)
        let archive = try Archive(path: file.path, access: access, keys: owner.ownerKey, custody: custody)
        #expect(try archive.encounters() == encounters)
        #expect(try archive.encounterSummaries() == stored)
        try archive.close()
    }

    /// The archive moved to another computer.
    @Test func `another computer's clock samples place encounters once the operator adopts them`() throws {
        let first = try Archive(path: file.path, access: .existing, keys: owner.ownerKey, custody: custody)
        let sample = Anchor(
            instant: 5_000, wallClock: noon + .hours(1) + .seconds(5), error: 1, source: .host)
        try first.record(sample, boot: 1, of: board.identity)
        #expect(try first.encounterSummaries().allSatisfy { $0.basis == .host })
        try first.close()
        var other = ArchiveCustody(secret: [UInt8](repeating: 9, count: 32), hasFilledTables: false)
        other.knownBoards.add(board.key.publicHalf.x963, of: board.identity)
        let archive = try Archive(path: file.path, access: .existing, keys: owner.ownerKey, custody: other)
        #expect(try archive.encounterSummaries().allSatisfy { $0.basis == .system })
        try archive.adoptEarlierRows(keys: owner.ownerKey)
        #expect(try archive.encounterSummaries().allSatisfy { $0.basis == .host })
        #expect(try archive.encounterSummaries() == archive.encounters().map(\.summary))
        try archive.close()
    }

    @Test func `an archive with another key of a known board is refused`() throws {
        var custody = custody
        custody.knownBoards.add(try TestKey().publicHalf.x963, of: board.identity)
        let archive = try Archive(path: file.path, access: .reading, custody: custody)
        #expect(throws: ArchiveError.otherBoardKey(board.identity.short)) { try archive.checkKnownBoards() }
        #expect(try archive.leftOutPages(of: board.identity).isEmpty == false)
    }

    @Test func `the list of known boards is read as it was written`() throws {
        var list = KnownBoards()
        list.add(board.key.publicHalf.x963, of: board.identity)
        list.add(owner.publicHalf.x963, of: board.identity)
        #expect(KnownBoards(text: "# comment\n" + list.text) == list)
        #expect(list.keys[board.identity]?.count == 2)
    }

    @Test func `rows of an earlier version count only where this computer's own archive is`() throws {
        try file.change("DELETE FROM grdb_migrations WHERE identifier = 'evidence 3'")
        for table in ["clockReading", "forgotten", "redactedPage", "ownKey"] {
            try file.change("ALTER TABLE \(table) DROP COLUMN proof")
        }
        try file.change("INSERT INTO forgotten VALUES (1, 0, 1795262400000)")
        for isOwn in [false, true] {
            let copy = try ArchiveFile()
            try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
            var custody = custody
            custody.adoptsEarlierRows = isOwn
            let archive = try Archive(
                path: copy.path, access: .existing, keys: owner.ownerKey, custody: custody)
            #expect(try archive.forgottenPart(of: board.identity)?.isProven == isOwn)
            try archive.adoptEarlierRows()
            #expect(try archive.forgottenPart(of: board.identity)?.isProven == true)
            try archive.close()
        }
    }

    /// The secret is lost, or the archive moved to another computer.
    @Test func `rows that another computer proved count once the operator adopts them`() throws {
        try file.change("INSERT INTO forgotten VALUES (1, 0, 1795262400000, x'00')")
        let archive = try Archive(path: file.path, access: .existing, keys: owner.ownerKey, custody: custody)
        #expect(try archive.forgottenPart(of: board.identity)?.isProven == false)
        try archive.adoptEarlierRows()
        #expect(try archive.forgottenPart(of: board.identity)?.isProven == true)
        try archive.close()
    }

    @Test func `the keys are known of pages that become locked if the tables no longer count`() throws {
        #expect(Archive.keysOfOpenPages(inFile: file.path, besides: .none) == [owner.publicHalf.fingerprint])
        #expect(Archive.keysOfOpenPages(inFile: file.path, besides: try owner.ownerKey).isEmpty)
    }
}
