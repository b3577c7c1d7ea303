import Archive
import GRDB

/// Tables of one export in a temporary file, so that memory does not grow with them. SQLite deletes the
/// file's name when it opens it, and its content disappears with the program.
final class ScratchDatabase: Sendable {
    private let queue: DatabaseQueue

    /// - Parameter schema: the SQL that creates the tables.
    init(_ schema: String) throws(ArchiveError) {
        do {
            // SQLite takes an empty path for a temporary file.
            queue = try DatabaseQueue(path: "")
            // Nobody reads the file after a failure.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = OFF;" + schema) }
        } catch {
            throw Self.translated(error)
        }
    }

    /// Runs `work` without a transaction, which a temporary file does not need.
    ///
    /// - Parameter work: must not use this database again, but only the connection that it gets.
    func run<Value>(_ work: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            return try queue.writeWithoutTransaction(work)
        } catch {
            throw Self.translated(error)
        }
    }

    private static func translated(_ error: any Error) -> ArchiveError {
        if let error = error as? ArchiveError { return error }
        switch (error as? DatabaseError)?.resultCode.primaryResultCode {
        case .SQLITE_FULL: return .full(path: TemporaryFiles.folder)
        default:
            return .database(
                path: TemporaryFiles.folder, reason: "a temporary file cannot be used: \(error)")
        }
    }
}

extension Database {
    /// Runs a statement that is often run.
    func insert(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
