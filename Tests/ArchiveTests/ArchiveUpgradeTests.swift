import FixedMemory
import Foundation
import GRDB
import LogContents
import Testing

@testable import Archive

@Suite struct ArchiveUpgradeTests {
    struct Interruption: Error {}

    @Test(arguments: ["venue", "forgotten", "messages"])
    func `reading an archive of version 0.1 leaves the file as it is`(sample: String) throws {
        let file = try ArchiveFile(sample: sample)
        let before = try file.bytes
        let archive = try Archive(path: file.path, access: .reading)
        for board in try archive.boards() { _ = try archive.verify(board.identity) }
        _ = try archive.encounters()
        try archive.queue.close()
        #expect(try file.bytes == before)
        #expect(try file.names == ["archive.sqlite"])
    }

    @Test(arguments: ["venue", "forgotten", "messages"])
    func `the evidence is copied byte for byte`(sample: String) throws {
        let file = try ArchiveFile(sample: sample)
        let evidence = try ArchiveRows.evidence(file.path)
        let derived = try ArchiveRows.derived(file.path)
        #expect(evidence.count("chunk") > 0 && derived.count("page") > 0)
        #expect(try ArchiveUpgrade(path: file.path, keys: .none).run() == .converted(kept: file.kept))
        #expect(try ArchiveRows.evidence(file.path) == evidence)
        #expect(try ArchiveRows.derived(file.path) == derived)
        #expect(try ArchiveRows.evidence(file.kept) == evidence)
        #expect(try ArchiveRows.derived(file.kept) == derived)
        #expect(try file.names == ["archive.sqlite", "archive.sqlite.version-0.1"])
    }

    @Test(arguments: ["venue", "messages"])
    func `the derived rows are those of a fresh import`(sample: String) throws {
        let file = try ArchiveFile(sample: sample)
        _ = try ArchiveUpgrade(path: file.path, keys: .none).run()
        let converted = try Archive(path: file.path, access: .reading)
        let other = try ArchiveFile()
        let fresh = try Archive(path: other.path)
        for board in try converted.boards() {
            try fresh.register(
                board.identity, blockByteCount: board.blockByteCount, unitByteCount: board.unitByteCount)
            for segment in try converted.segments(of: board.identity) {
                let bytes = try converted.bytes(ofSegment: segment.ordinal, of: board.identity)
                try fresh.append(bytes, at: 0, segment: segment.ordinal, of: board.identity)
            }
            for key in try converted.keyHistory(of: board.identity) {
                try fresh.record(key, of: board.identity)
            }
            for manifest in try converted.manifests(of: board.identity) {
                try fresh.record(manifest, of: board.identity)
            }
            try fresh.decodePages(of: board.identity)
        }
        #expect(try ArchiveRows.derived(file.path) == ArchiveRows.derived(other.path))
    }

    @Test func `the converted archive grows like any other`() throws {
        let file = try ArchiveFile(sample: "messages")
        _ = try ArchiveUpgrade(path: file.path, keys: .none).run()
        let archive = try Archive(path: file.path, access: .existing)
        let board = try #require(try archive.boards().first)
        try archive.recordSync(of: board.identity, at: 7)
        #expect(try archive.boards().first?.lastSync == 7)
        #expect(try archive.keyHistory(of: board.identity).count == 1)
    }

    @Test(arguments: ArchiveUpgrade.Step.allCases)
    func `an interrupted conversion leaves an archive and can be repeated`(at step: ArchiveUpgrade.Step)
        throws
    {
        let file = try ArchiveFile(sample: "venue")
        let evidence = try ArchiveRows.evidence(file.path)
        let derived = try ArchiveRows.derived(file.path)
        var upgrade = ArchiveUpgrade(path: file.path, keys: .none)
        upgrade.beforeStep = { if $0 == step { throw Interruption() } }
        #expect(throws: ArchiveError.self) { try upgrade.run() }
        #expect(try ArchiveRows.evidence(file.path) == evidence)
        #expect(try ArchiveRows.derived(file.path) == derived)
        _ = try Archive(path: file.path, access: .reading)

        let isConverted = step == .synchronise
        upgrade.beforeStep = { _ in }
        #expect(try upgrade.run() == (isConverted ? .none : .converted(kept: file.kept)))
        #expect(try ArchiveRows.evidence(file.path) == evidence)
        #expect(try ArchiveRows.evidence(file.kept) == evidence)
        #expect(try file.names == ["archive.sqlite", "archive.sqlite.version-0.1"])
    }

    /// A killed process cannot clean up, so its files may still lie there.
    @Test func `the remains of a killed conversion do not hinder the next`() throws {
        let file = try ArchiveFile(sample: "venue")
        for ending in ["", "-journal", "-wal"] {
            try Data(repeating: 0x41, count: 5_000).write(to: URL(filePath: file.path + ".new" + ending))
        }
        #expect(try ArchiveUpgrade(path: file.path, keys: .none).run() == .converted(kept: file.kept))
        #expect(try file.names == ["archive.sqlite", "archive.sqlite.version-0.1"])
    }

    @Test func `a second upgrade changes nothing`() throws {
        let file = try ArchiveFile(sample: "venue")
        let upgrade = ArchiveUpgrade(path: file.path, keys: .none)
        _ = try upgrade.run()
        let before = try file.bytes
        #expect(try upgrade.run() == .none)
        #expect(try file.bytes == before)
    }

    @Test func `an existing file with the name of the earlier archive stays`() throws {
        let file = try ArchiveFile(sample: "venue")
        let before = try file.bytes
        try Data([1]).write(to: URL(filePath: file.kept))
        #expect(throws: ArchiveError.kept(path: file.kept)) {
            try ArchiveUpgrade(path: file.path, keys: .none).run()
        }
        #expect(try file.bytes == before)
        #expect(try Data(contentsOf: URL(filePath: file.kept)) == Data([1]))
    }

    @Test func `an archive in use is not converted`() throws {
        let file = try ArchiveFile(sample: "venue")
        let other = try DatabaseQueue(path: file.path)
        _ = try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM segment") }
        var upgrade = ArchiveUpgrade(path: file.path, keys: .none)
        upgrade.waitSeconds = 0
        #expect(throws: ArchiveError.busy(path: file.path)) { try upgrade.run() }
        try other.close()
        #expect(try file.names == ["archive.sqlite"])
    }

    @Test func `a writer of an archive of version 0.1 is told to upgrade it`() throws {
        let file = try ArchiveFile(sample: "venue")
        let before = try file.bytes
        for access in [Archive.Access.create, .existing] {
            #expect(throws: ArchiveError.outdated(path: file.path)) {
                try Archive(path: file.path, access: access)
            }
        }
        #expect(try file.bytes == before)
    }

    @Test func `the new file has the same permissions, and a link to it stays`() throws {
        let file = try ArchiveFile(sample: "venue")
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let link = file.folder.appending(path: "link.sqlite").path
        try manager.createSymbolicLink(atPath: link, withDestinationPath: file.path)
        let outcome = try ArchiveUpgrade(path: link, keys: .none).run()
        #expect(outcome == .converted(kept: URL(filePath: file.kept).resolvingSymlinksInPath().path))
        #expect(try manager.destinationOfSymbolicLink(atPath: link) == file.path)
        let mode = try manager.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}

/// Pages that were decrypted, and are decoded again.
@Suite struct SealedUpgradeTests {
    private let board: SealedBoard
    private let key: TestKey
    private let file: ArchiveFile

    init() throws {
        board = try SealedBoard()
        key = try TestKey()
        file = try ArchiveFile()
        try board.run(boot: 1, sealedFor: key.publicHalf, entries: TestLog.entries(boot: 1, trackCount: 10))
        let archive = try Archive(path: file.path)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity, keys: key.ownerKey)
        try archive.queue.close()
    }

    @Test(arguments: [false, true])
    func `decrypted pages need their owner key`(isVersion01: Bool) throws {
        if isVersion01 {
            try file.becomeVersion01()
        } else {
            try file.change("UPDATE decoder SET version = 0")
        }
        let derived = try ArchiveRows.derived(file.path)
        #expect(derived.count("track") == 10)
        let missing = ArchiveError.keysMissing(path: file.path, fingerprints: [key.publicHalf.fingerprint])
        #expect(throws: missing) { try ArchiveUpgrade(path: file.path, keys: .none).run() }
        #expect(throws: missing) { try ArchiveUpgrade(path: file.path, keys: TestKey().ownerKey).run() }
        #expect(try ArchiveRows.derived(file.path) == derived)
        let outcome = try ArchiveUpgrade(path: file.path, keys: key.ownerKey).run()
        #expect(outcome == (isVersion01 ? .converted(kept: file.kept) : .decoded))
        #expect(try ArchiveRows.derived(file.path) == derived)
    }

    @Test(arguments: [false, true])
    func `without their owner key, pages become locked on request`(isVersion01: Bool) throws {
        if isVersion01 {
            try file.becomeVersion01()
        } else {
            try file.change("UPDATE decoder SET version = 0")
        }
        let derived = try ArchiveRows.derived(file.path)
        _ = try ArchiveUpgrade(path: file.path, keys: .none, locks: true).run()
        let archive = try Archive(path: file.path, access: .existing)
        #expect(try archive.lockedPages(of: board.identity).pageCount == derived.count("page"))
        try archive.decodePages(of: board.identity, keys: key.ownerKey)
        try archive.queue.close()
        #expect(try ArchiveRows.derived(file.path) == derived)
    }
}
