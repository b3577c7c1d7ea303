import Foundation
import GRDB
import LogContents
import Testing

@testable import Archive

@Suite struct ArchiveSchemaTests {
    private let file: ArchiveFile
    private let log: TestLog

    init() throws {
        file = try ArchiveFile()
        log = try TestLog()
        let archive = try Archive(path: file.path)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try log.sign(into: archive)
        try archive.decodePages(of: log.board)
        try archive.queue.close()
    }

    @Test func `a writer rebuilds the derived rows of another decoder version`() throws {
        let derived = try ArchiveRows.derived(file.path)
        let evidence = try ArchiveRows.evidence(file.path)
        try file.change("UPDATE decoder SET version = 99; DELETE FROM sample; DROP TABLE radioIncident")
        let before = try file.bytes
        #expect(throws: ArchiveError.outdated(path: file.path)) {
            try Archive(path: file.path, access: .reading)
        }
        #expect(try file.bytes == before)
        #expect(try ArchiveUpgrade(path: file.path, keys: .none).run() == .decoded)
        #expect(try ArchiveRows.derived(file.path) == derived)
        #expect(try ArchiveRows.evidence(file.path) == evidence)
        #expect(
            try Archive.readingQueue(file.path).read(DerivedTables.recordedVersion)
                == DerivedTables.decoderVersion)
    }

    @Test func `a later schema number is refused`() throws {
        try file.change("INSERT INTO grdb_migrations VALUES ('evidence 99')")
        let before = try file.bytes
        for access in [Archive.Access.create, .existing, .reading] {
            #expect(throws: ArchiveError.tooNew(path: file.path)) {
                try Archive(path: file.path, access: access)
            }
        }
        #expect(throws: ArchiveError.tooNew(path: file.path)) {
            try ArchiveUpgrade(path: file.path, keys: .none).run()
        }
        #expect(try file.bytes == before)
    }

    @Test func `an archive from before version 0.1 is refused`() throws {
        try file.becomeVersion01()
        try file.change("DELETE FROM grdb_migrations WHERE identifier LIKE '18:%'")
        for access in [Archive.Access.existing, .reading] {
            #expect(throws: ArchiveError.tooOld(path: file.path)) {
                try Archive(path: file.path, access: access)
            }
        }
    }

    @Test func `the database of another program stays as it is`() throws {
        let other = try ArchiveFile()
        try other.change("CREATE TABLE track (title TEXT)")
        let before = try other.bytes
        for access in [Archive.Access.create, .existing, .reading] {
            #expect(throws: ArchiveError.noArchive(path: other.path)) {
                try Archive(path: other.path, access: access)
            }
        }
        #expect(try other.bytes == before)
        #expect(try other.names == ["archive.sqlite"])
    }

    @Test func `reading leaves the file as it is`() throws {
        let before = try file.bytes
        let archive = try Archive(path: file.path, access: .reading)
        #expect(try archive.history(of: log.board).boots.count == 2)
        #expect(throws: ArchiveError.self) {
            try archive.recordSync(of: log.board, at: 1)
        }
        try archive.queue.close()
        #expect(try file.bytes == before)
        #expect(try file.names == ["archive.sqlite"])
    }

    /// A killed writer leaves its last transactions beside the file. They count, and stay where they are.
    @Test func `a reader finds the data that a killed writer left beside the file`() throws {
        let writer = try Archive(path: file.path)
        try writer.recordSync(of: log.board, at: 77)
        let copy = try ArchiveFile()
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file.path + ending, toPath: copy.path + ending)
        }
        let before = try copy.bytes
        let pending = try Data(contentsOf: URL(filePath: copy.path + "-wal"))
        #expect(!pending.isEmpty)
        let reader = try Archive(path: copy.path, access: .reading)
        #expect(try reader.boards().first?.lastSync == 77)
        try reader.queue.close()
        #expect(try copy.bytes == before)
        #expect(try Data(contentsOf: URL(filePath: copy.path + "-wal")) == pending)
    }

    @Test func `the next writer decodes the data that a killed fetch left`() throws {
        let other = try ArchiveFile()
        let archive = try Archive(path: other.path)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        let segment = try #require(log.segments.first)
        try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        try log.sign(into: archive, through: segment)
        let reader = try Archive(path: other.path, access: .reading)
        #expect(try reader.history(of: log.board).boots.isEmpty)
        #expect(try reader.waitingSegmentCount(of: log.board) == 1)
        #expect(try !Archive(path: other.path).history(of: log.board).boots.isEmpty)
        #expect(try reader.waitingSegmentCount(of: log.board) == 0)
    }

    /// A board may erase its log after the acknowledgement, so no power cut may undo a stored transaction.
    @Test func `each transaction waits for the disk`() throws {
        let archive = try Archive(path: file.path)
        let full = 2
        #expect(try archive.reading { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == full)
        #expect(try archive.reading { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }
}
