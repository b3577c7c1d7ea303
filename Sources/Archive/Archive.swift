import Foundation
import GRDB

/// The operator's store of all data fetched from boards: one SQLite file.
///
/// Fetched bytes are durable before they are decoded, and decoding only adds rows. Repeating an operation has
/// no effect.
public struct Archive: Sendable {
    public let path: String
    let queue: DatabaseQueue
    /// Called before each transaction; if it throws, nothing is written. Tests inject write failures with it.
    var beforeWriting: @Sendable () throws -> Void = {}

    public enum Access: Sendable {
        /// Creates the file and its parent folders if absent.
        case create
        /// The file must exist already.
        case existing
    }

    /// `$XDG_DATA_HOME/tabard/archive.sqlite`; by default under `~/.local/share`.
    public static var defaultPath: String {
        let environment = ProcessInfo.processInfo.environment
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (data ?? NSHomeDirectory() + "/.local/share") + "/tabard/archive.sqlite"
    }

    public init(path: String, access: Access = .create) throws(ArchiveError) {
        if access == .existing, !FileManager.default.fileExists(atPath: path) {
            throw .absent(path: path)
        }
        self.path = path
        do {
            let folder = URL(filePath: path).deletingLastPathComponent()
            if access == .create {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            // Stored bytes must be on disk, because an acknowledged board may erase its own copy. GRDB's WAL
            // mode sets a weaker level.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        } catch {
            throw Self.translated(error, path)
        }
        try migrate()
    }

    /// An in-memory archive, for tests and for reading a file without storing it.
    public init(inMemoryNamed name: String = "memory") throws(ArchiveError) {
        path = name
        do {
            queue = try DatabaseQueue()
        } catch {
            throw .database(path: name, reason: Self.reason(error))
        }
        try migrate()
    }

    private static var configuration: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.journalMode = .wal
        // Another tabardctl may be writing; wait for it instead of failing.
        configuration.busyMode = .timeout(5)
        return configuration
    }

    private func migrate() throws(ArchiveError) {
        let migrator = ArchiveSchema.migrator
        do {
            if try queue.read(migrator.hasBeenSuperseded) { throw ArchiveError.tooNew(path: path) }
            try migrator.migrate(queue)
        } catch {
            throw translated(error)
        }
        try decodeWaitingSegments()
    }

    /// Runs `work` in one transaction: either all of it is kept, or nothing.
    func transaction<Value>(_ work: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            try beforeWriting()
            return try queue.write(work)
        } catch {
            throw translated(error)
        }
    }

    /// Runs SQL that SQLite does not allow inside a transaction.
    func outsideTransactions(_ sql: String) throws(ArchiveError) {
        do {
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        } catch {
            throw translated(error)
        }
    }

    func reading<Value>(_ work: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            return try queue.read(work)
        } catch {
            throw translated(error)
        }
    }

    private func translated(_ error: any Error) -> ArchiveError {
        error as? ArchiveError ?? Self.translated(error, path)
    }

    private static func translated(_ error: any Error, _ path: String) -> ArchiveError {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: .noArchive(path: path)
        default: .database(path: path, reason: reason(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return error.localizedDescription }
        return error.message ?? error.resultCode.description
    }
}
