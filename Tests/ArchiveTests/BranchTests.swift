import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents
import Testing

@testable import Archive

/// Two versions of a part of a board's log.
@Suite struct BranchTests {
    private let log: TestLog
    private let archive: Archive

    init() throws {
        log = try TestLog()
        archive = try Archive(inMemoryNamed: "test")
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount, name: "Foyer")
    }

    @Test func `a branch has its own version of a segment, and its parent's before that`() throws {
        try log.fetch(into: archive)
        let stored = try (0...1).map { try archive.bytes(ofSegment: $0, of: log.board) }
        let branch = try archive.addBranch(of: log.board, from: 0, at: 1, foundAt: noon)
        #expect(try archive.segments(of: log.board, branch: branch).map(\.ordinal) == [0])
        try archive.append([1, 2, 3], at: 0, segment: 1, of: log.board, branch: branch)
        #expect(try archive.bytes(ofSegment: 0, of: log.board, branch: branch) == stored[0])
        #expect(try archive.bytes(ofSegment: 1, of: log.board, branch: branch) == [1, 2, 3])
        #expect(try archive.bytes(ofSegment: 1, of: log.board) == stored[1])
        try archive.record(currentBranch: branch, of: log.board)
        #expect(try archive.bytes(ofSegment: 1, of: log.board) == [1, 2, 3])
    }

    @Test func `a log that branches too often is refused`() throws {
        try log.fetch(into: archive)
        for number in 1...LogBranch.greatestNumber {
            #expect(try archive.addBranch(of: log.board, from: 0, at: 1, foundAt: noon) == number)
        }
        #expect(throws: ArchiveError.tooManyBranches(log.board)) {
            try archive.addBranch(of: log.board, from: 0, at: 1, foundAt: noon)
        }
    }

    @Test func `opening an archive with evidence 1 keeps every byte`() throws {
        let path = NSTemporaryDirectory() + "evidence-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let earlier = try Archive.writingQueue(path)
        try EvidenceSchema.migrator.migrate(earlier, upTo: "evidence 1")
        try earlier.write { database in
            try database.execute(
                sql: """
                    INSERT INTO board (logIdentity, blockByteCount, unitByteCount) VALUES (?, 512, 512);
                    INSERT INTO segment (id, boardID, ordinal, isComplete, isVerified) VALUES (7, 1, 3, 1, 1);
                    INSERT INTO chunk (segmentID, byteOffset, bytes) VALUES (7, 0, x'010203');
                    """, arguments: [log.board.blob])
        }
        try earlier.close()
        let archive = try Archive(path: path)
        #expect(try archive.isTrusted(log.board))
        #expect(try archive.bytes(ofSegment: 3, of: log.board) == [1, 2, 3])
        #expect(try archive.segments(of: log.board).map(\.isVerified) == [true])
    }
}
