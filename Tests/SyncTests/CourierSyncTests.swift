import Archive
import BoardLink
import BoardTestSupport
import DeviceSync
import FixedMemory
import Foundation
import GRDB
import Testing

@testable import Sync

/// An archive that was in other hands is brought up to date with its board. What rows in it say about the
/// board's log must not keep data from being fetched, nor let the board erase it.
@Suite struct CourierSyncTests {
    private let board: ServedBoard
    private let path = NSTemporaryDirectory() + "courier-sync-\(UUID().uuidString).sqlite"
    private var custody = ArchiveCustody(secret: [UInt8](repeating: 5, count: 32))

    init() throws {
        board = try ServedBoard()
        try board.record(60)
        custody.knownBoards.add(try #require(board.publicKeys).board.x963, of: board.identity)
    }

    enum Edit: CaseIterable {
        case forgotten, verified, retention, changed

        func apply(_ database: Database, boot: UInt64) throws {
            switch self {
            case .forgotten:
                try database.execute(
                    sql: """
                        DELETE FROM segment WHERE ordinal < 3;
                        INSERT INTO forgotten VALUES (1, 3, 1795262400000, x'00');
                        """)
            case .verified:
                try database.execute(sql: Self.noise)
            case .retention:
                try database.execute(sql: "DELETE FROM segment WHERE ordinal < 3")
                try database.execute(
                    sql: "INSERT OR REPLACE INTO retention VALUES (1, ?, 3)",
                    arguments: [Int64(bitPattern: boot)])
            case .changed:
                try database.execute(sql: Self.noise)
                try database.execute(
                    sql: "UPDATE segment SET isVerified = 0, changedByteCount = 1000000 WHERE ordinal = 1")
            }
        }

        private static let noise = """
            UPDATE chunk SET bytes = zeroblob(length(bytes))
                WHERE segmentID = (SELECT id FROM segment WHERE ordinal = 1);
            """
    }

    private func sync(_ archive: Archive, _ options: Synchroniser.Options) throws -> SyncSummary {
        try Synchroniser(
            client: BoardClient.test(PipeChannel(board)), archive: archive, options: options
        ).run()
    }

    @Test(arguments: Edit.allCases)
    func `a courier cannot keep data from being fetched before the board may erase it`(_ edit: Edit) throws {
        defer {
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
        let honest = try Archive(inMemoryNamed: "honest")
        _ = try sync(honest, .trustingReader)
        let before = try Archive(path: path, custody: custody)
        _ = try sync(before, .trustingReader)
        try before.close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { try edit.apply($0, boot: board.bootIdentifier) }
        try queue.close()

        var custody = custody
        custody.hasFilledTables = false
        let archive = try Archive(path: path, access: .existing, custody: custody)
        _ = try sync(archive, .trusting)
        for segment in try honest.segments(of: board.identity) {
            let bytes = try honest.bytes(ofSegment: segment.ordinal, of: board.identity)
            let stored = try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
            #expect(
                stored.starts(with: bytes), "segment \(segment.ordinal), \(board.syncedThrough)")
        }
        try archive.close()
    }
}
