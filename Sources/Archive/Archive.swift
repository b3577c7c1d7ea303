import FixedMemory
import Foundation
import GRDB
import LogContents

/// The operator's store of all data fetched from boards: one SQLite file.
///
/// Fetched bytes are durable before they are decoded, and decoding only adds rows. Repeating an operation has
/// no effect.
public struct Archive: Sendable {
    public let path: String
    let queue: DatabaseQueue
    /// The file's bytes stay as they are.
    let isReadOnly: Bool
    /// The pages that are decoded into the derived tables.
    let admission: PageAdmission
    /// The facts that this computer keeps about the archive.
    let custody: ArchiveCustody
    /// Whether the file's tables are those of an earlier version, so that no row has a proof.
    let isEarlierFormat: Bool
    /// Called before each transaction; if it throws, nothing is written. Tests inject write failures with it.
    var beforeWriting: @Sendable () throws -> Void = {}
    /// Called with a board and its key before the archive stores that the operator trusts them.
    public var beforeTrusting: @Sendable (LogIdentity, Bytes<65>) -> Void = { _, _ in }

    /// Whether pages that no signature covers count, too.
    public var includesUnverifiedPages: Bool { admission == .unverified }

    /// Labels of this run alone, in place of those that are stored.
    public var givenLabels = Labels()

    public enum Access: Sendable {
        /// Creates the file and its parent folders if absent.
        case create
        /// The file must exist already.
        case existing
        /// The file must exist already, and its bytes stay as they are.
        case reading
    }

    /// Opens an archive. If another version of the decoder filled its derived tables, they are filled again;
    /// with `.reading` that is an error.
    ///
    /// - Parameters:
    ///   - keys: decrypt the pages that were decrypted before, if the tables are filled again.
    ///   - locks: pages whose key is missing then may become locked again.
    ///   - custody: what this computer knows about the archive.
    ///   - admission: with `.reading`, `unverified` shows derived tables of this connection's own, and
    ///     changes nothing in the file.
    public init(
        path: String, access: Access = .create, keys: OwnerKeys = .none, locks: Bool = false,
        admitting admission: PageAdmission = .vouched, custody: ArchiveCustody = .ofThisProcess
    ) throws(ArchiveError) {
        if access != .create, !FileManager.default.fileExists(atPath: path) { throw .absent(path: path) }
        let format = try Self.format(ofFile: path)
        do {
            if access == .reading {
                queue = try Self.readingQueue(path)
            } else {
                if let error = format.refusalToWrite(path) { throw error }
                let folder = URL(filePath: path).deletingLastPathComponent()
                if access == .create {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                }
                queue = try Self.writingQueue(path)
            }
        } catch {
            throw Self.translated(error, path)
        }
        self.path = path
        self.custody = custody
        isEarlierFormat = format == .version01
        isReadOnly = access == .reading
        self.admission = isReadOnly ? admission : .vouched
        if isReadOnly {
            try checkReadability(format, keys: keys)
        } else {
            try bringUpToDate(keys: keys, locks: locks)
        }
    }

    /// An in-memory archive, for tests and for reading a file without storing it.
    ///
    /// - Parameter admission: `unverified` decodes pages that no signature covers, too.
    public init(
        inMemoryNamed name: String = "memory", admitting admission: PageAdmission = .vouched
    ) throws(ArchiveError) {
        do {
            try self.init(path: name, queue: DatabaseQueue(), admitting: admission)
        } catch {
            throw Self.translated(error, name)
        }
        try bringUpToDate(keys: .none, locks: false)
    }

    /// An archive at `path` whose tables may still be missing.
    init(
        path: String, queue: DatabaseQueue, admitting admission: PageAdmission = .vouched,
        custody: ArchiveCustody = .ofThisProcess
    ) {
        self.custody = custody
        isEarlierFormat = false
        self.path = path
        self.admission = admission
        self.queue = queue
        isReadOnly = false
    }

    /// Whether a row is this computer's own.
    ///
    /// - Parameters:
    ///   - stored: the row's proof.
    ///   - code: the proof that it must have.
    func isProven(_ stored: Data?, _ code: Data) -> Bool {
        stored == code || stored == nil && isEarlierFormat && custody.adoptsEarlierRows
    }

    /// Runs `work` in one transaction: either all of it is kept, or nothing.
    func transaction<Value>(_ work: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            try requireWriting()
            try beforeWriting()
            return try queue.write(work)
        } catch {
            throw translated(error)
        }
    }

    /// Runs SQL that SQLite does not allow inside a transaction.
    func outsideTransactions(_ sql: String) throws(ArchiveError) {
        do {
            try requireWriting()
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        } catch {
            throw translated(error)
        }
    }

    /// Moves everything from SQLite's log into the file itself.
    public func checkpoint() throws(ArchiveError) {
        try outsideTransactions("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Closes the file; nothing can be read or written afterwards.
    public func close() throws(ArchiveError) {
        do { try queue.close() } catch { throw translated(error) }
    }

    private func requireWriting() throws(ArchiveError) {
        if isReadOnly { throw .database(path: path, reason: "opened for reading only") }
    }

    func reading<Value>(_ work: (Database) throws -> Value) throws(ArchiveError) -> Value {
        do {
            return try queue.read(work)
        } catch {
            throw translated(error)
        }
    }

    func translated(_ error: any Error) -> ArchiveError { Self.translated(error, path) }

    static func translated(_ error: any Error, _ path: String) -> ArchiveError {
        if let error = error as? ArchiveError { return error }
        switch (error as? DatabaseError)?.resultCode.primaryResultCode {
        // Without its lock, a program that changes the file meanwhile makes it look damaged.
        case .SQLITE_CORRUPT where isUnwritable(path): return .busy(path: path)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT: return .noArchive(path: path)
        case .SQLITE_BUSY: return .busy(path: path)
        // A sort, too, may need a file.
        case .SQLITE_FULL: return .full(path: isOnFullDisk(path) ? path : TemporaryFiles.folder)
        // SQLite does not say that memory beside the file could not grow.
        case .SQLITE_IOERR where isOnFullDisk(path): return .full(path: path)
        // Tables or values that this program never writes.
        case .SQLITE_ERROR where isForeign(error), .SQLITE_MISMATCH: return .noArchive(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: return .forbidden(path: path, access: .existing)
        // SQLite does not say why it cannot open a file.
        case .SQLITE_CANTOPEN where !mayRead(path): return .forbidden(path: path, access: .reading)
        case .SQLITE_CANTOPEN where isUnwritable(path): return .forbidden(path: path, access: .existing)
        default: break
        }
        if error is RowDecodingError { return .noArchive(path: path) }
        switch (error as? CocoaError)?.code {
        case .fileWriteNoPermission: return .forbidden(path: path, access: .create)
        case .fileWriteOutOfSpace: return .full(path: path)
        default: return .database(path: path, reason: reason(error))
        }
    }

    private static func isForeign(_ error: any Error) -> Bool {
        let message = (error as? DatabaseError)?.message ?? ""
        return message.hasPrefix("no such table") || message.hasPrefix("no such column")
    }

    private static func isOnFullDisk(_ path: String) -> Bool {
        var status = statvfs()
        return statvfs(path, &status) == 0 && status.f_bavail < 16
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return error.localizedDescription }
        return error.message ?? error.resultCode.description
    }
}
