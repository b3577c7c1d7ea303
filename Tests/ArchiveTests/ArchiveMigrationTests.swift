import FixedMemory
import Foundation
import GRDB
import LogContents
import Testing

@testable import Archive

@Suite struct ArchiveMigrationTests {
    @Test func anArchiveFromBeforeRadioIncidentsGetsThemFromItsRawPages() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "archive.sqlite").path
        let log = try TestLog()
        let archive = try Archive(path: path)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try archive.decodePages(of: log.board)
        let history = try archive.history(of: log.board)
        #expect(history.boots.allSatisfy { $0.radioIncidents.count == 2 })

        // The state that version 1 left: decoded, without the tables and columns that came later.
        try archive.transaction { database in
            try database.execute(
                sql: """
                    ALTER TABLE board RENAME COLUMN blockByteCount TO pageByteCount;
                    ALTER TABLE board DROP COLUMN unitByteCount;
                    ALTER TABLE boot RENAME COLUMN firstByteOffset TO firstPageIndex;
                    ALTER TABLE identification DROP COLUMN isLost;
                    ALTER TABLE segment DROP COLUMN changedByteCount;
                    ALTER TABLE boot DROP COLUMN latitudeMicrodegrees;
                    ALTER TABLE boot DROP COLUMN longitudeMicrodegrees;
                    """)
            for table in [
                "radioIncident", "peerDetail", "reading", "ownIdentity", "peerMessage", "retention",
                "boardKey", "manifest", "gap", "forgotten", "redactedPage", "redaction", "ownKey",
                "refusedIdentity",
            ] {
                try database.execute(sql: "DROP TABLE \(table)")
            }
            try database.execute(
                sql:
                    "DELETE FROM grdb_migrations WHERE identifier <> '1: boards, raw segments, decoded entries'"
            )
        }
        let reopened = try Archive(path: path, access: .existing)
        #expect(try reopened.history(of: log.board) == history)
        #expect(try reopened.boards() == archive.boards())
        #expect(try reopened.decodePages(of: log.board) == ImportSummary())
    }

    @Test func keysThatABoardHadBeforeAreFoundInItsManifests() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let board = try #require(LogIdentity([UInt8](1...16)))
        let archive = try Archive(path: file.path)
        try archive.register(board, blockByteCount: 4096)
        let keys = [9, 3].map { number in Bytes<65>([UInt8](repeating: number, count: 65).span) ?? Bytes() }
        for (number, key) in zip([1, 2, 3] as [UInt8], [keys[0], keys[0], keys[1]]) {
            try archive.record(
                StoredManifest(
                    statement: [number], signature: Bytes(), boardKey: key,
                    receivedWallClockMilliseconds: Int64(number)), of: board)
        }
        // The table as in version 10.
        try archive.transaction { database in
            try database.execute(
                sql: """
                    DROP TABLE boardKey;
                    CREATE TABLE boardKey (
                        boardID INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
                        publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
                        openingFingerprint BLOB CHECK (length(openingFingerprint) = 16),
                        operatorFingerprint BLOB CHECK (length(operatorFingerprint) = 16)
                    ) STRICT;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '11:%';
                    """)
            try database.execute(
                sql: "INSERT INTO boardKey VALUES (1, ?, NULL, ?)",
                arguments: [Data(copying: keys[1].span), Data(repeating: 5, count: 16)])
        }
        let history = try Archive(path: file.path).keyHistory(of: board)
        #expect(history.map(\.keyring.publicKey) == keys)
        #expect(history.map(\.isVouched) == [true, true])
        #expect(history.map(\.shownWallClockMilliseconds) == [1, 3])
        #expect(history.map { $0.keyring.operatorFingerprint == nil } == [true, false])
    }

    @Test func anArchiveInWhichNothingCouldBeForgottenByContactsCan() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let log = try TestLog()
        let archive = try Archive(path: file.path)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try archive.decodePages(of: log.board)
        let history = try archive.history(of: log.board)
        // The schema as in version 15.
        try archive.transaction { database in
            try database.execute(
                sql: """
                    DROP TABLE redactedPage;
                    DROP TABLE redaction;
                    ALTER TABLE segment DROP COLUMN changedByteCount;
                    DELETE FROM grdb_migrations WHERE identifier LIKE '16:%';
                    """)
        }
        let reopened = try Archive(path: file.path)
        #expect(try reopened.history(of: log.board) == history)
        #expect(try reopened.segments(of: log.board).allSatisfy { $0.changedByteCount == 0 })
        let year: Int64 = 366 * 86_400_000
        let plan = try reopened.redactionPlan(
            of: log.board, keeping: ContactRetention(), keys: .none, nowMilliseconds: noon + year)
        try reopened.redact(plan, keys: .none)
        #expect(try reopened.encounters().isEmpty)
        #expect(try reopened.verify(log.board).severity == .note)
    }

    @Test func whatAKilledFetchLeftIsDecodedWhenTheArchiveIsOpenedNext() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let log = try TestLog()
        let archive = try Archive(path: file.path)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        let segment = try #require(log.segments.first)
        try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        #expect(try archive.history(of: log.board).boots.isEmpty)
        #expect(try !Archive(path: file.path).history(of: log.board).boots.isEmpty)
    }
}

@Suite struct ArchiveDurabilityTests {
    /// A board may erase its log after the acknowledgement, so no power cut may undo a stored transaction.
    @Test func eachTransactionWaitsForTheDisk() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let archive = try Archive(path: file.path)
        let full = 2
        #expect(try archive.reading { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == full)
        #expect(try archive.reading { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }
}
