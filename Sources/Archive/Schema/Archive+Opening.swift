import Foundation
import GRDB
import LogContents

extension Archive {
    /// Another tabardctl may be writing; wait for it instead of failing.
    static let waitSeconds: TimeInterval = 5

    /// Which tables a file has, without changing it. A file that is absent has none.
    static func format(ofFile path: String) throws(ArchiveError) -> ArchiveFormat {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return .empty }
        guard !isFolder.boolValue else { throw .folder(path: path) }
        do {
            let queue = try readingQueue(path)
            let format = try queue.read(ArchiveFormat.init)
            try queue.close()
            return format
        } catch {
            throw translated(error, path)
        }
    }

    /// A connection that leaves the file's bytes as they are.
    ///
    /// A connection that may write removes the files beside the archive when it is closed, if it finds none.
    /// If a writer was killed, its last transactions are still in the log beside the archive. Then only a
    /// connection that may not write leaves them there.
    static func readingQueue(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(waitSeconds)
        configuration.readonly = hasPendingTransactions(path)
        configuration.prepareDatabase { database in
            try database.execute(sql: distrust)
            if try ArchiveFormat(database) == .version01 { try Version01Tables.show(in: database) }
        }
        guard isUnwritable(path), !configuration.readonly else {
            return try DatabaseQueue(path: path, configuration: configuration)
        }
        // SQLite cannot create its files beside the archive. It needs none: a program that may write leaves
        // the file as it is until it closes the archive, and its transactions would be pending.
        configuration.readonly = true
        return try DatabaseQueue(
            path: URL(filePath: path).absoluteString + "?immutable=1", configuration: configuration)
    }

    /// Definitions in the file may come from somebody else, so they may call no function with side effects.
    private static let distrust = "PRAGMA trusted_schema = OFF"

    /// Whether this user cannot change the file, or cannot create files beside it.
    static func isUnwritable(_ path: String) -> Bool {
        access(path, W_OK) != 0 || access(URL(filePath: path).deletingLastPathComponent().path, W_OK) != 0
    }

    /// A file that does not exist cannot be read, but nothing forbids it.
    static func mayRead(_ path: String) -> Bool { access(path, R_OK) == 0 || errno != EACCES }

    private static func hasPendingTransactions(_ path: String) -> Bool {
        ["-wal", "-journal"].contains { ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + ending)
            return (attributes?[.size] as? Int ?? 0) > 0
        }
    }

    static func writingQueue(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(waitSeconds)
        configuration.prepareDatabase { try $0.execute(sql: distrust) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        // Stored bytes must be on disk, because an acknowledged board may erase its own copy. GRDB's WAL mode
        // sets a weaker level.
        // The file itself changes only when an archive is closed, so that its state can be recorded then.
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
        }
        return queue
    }

    /// Refuses tables that this program cannot read as they are, and derives those of this connection's own
    /// that it needs.
    func checkReadability(_ format: ArchiveFormat, keys: OwnerKeys) throws(ArchiveError) {
        switch format {
        case .numbered:
            try checkNumbers()
            let isCurrent = try reading { database in
                try EvidenceSchema.migrator.hasCompletedMigrations(database)
                    && DerivedTables.areCurrent(in: database)
            }
            guard isCurrent else { throw .outdated(path: path) }
            if admission == .unverified || !custody.hasFilledTables {
                try deriveTemporarily(fromFile: custody.hasFilledTables, keys: keys)
            }
        case .version01:
            let missing = try reading { try DerivedTables.missingKeys(keys, in: $0) }
            guard missing.isEmpty else { throw .outdated(path: path) }
            try deriveTemporarily(fromFile: false, keys: keys)
        case .later: throw .tooNew(path: path)
        case .unreleased: throw .tooOld(path: path)
        case .empty, .other: throw .noArchive(path: path)
        }
    }

    /// Refuses sizes and places that no board has. Only another program can have written them.
    private func checkNumbers() throws(ArchiveError) {
        let sizes = """
            SELECT 1 FROM board WHERE blockByteCount NOT BETWEEN 1 AND \(Self.greatestSize)
                OR unitByteCount NOT BETWEEN 1 AND blockByteCount
            """
        let places = """
            SELECT 1 FROM segment WHERE ordinal NOT BETWEEN 0 AND \(UInt32.max)
            UNION ALL SELECT 1 FROM chunk WHERE byteOffset NOT BETWEEN 0 AND \(UInt32.max)
            """
        let areWrong = try reading { database in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (\(sizes))") == true
                || !custody.hasFilledTables
                    && Bool.fetchOne(database, sql: "SELECT EXISTS (\(places))") == true
        }
        if areWrong { throw .noArchive(path: path) }
    }

    /// More than any flash's erase block has, in bytes.
    private static let greatestSize = 64 << 20

    /// Creates the tables that are missing, fills derived tables again if another version of the decoder
    /// filled them, and decodes what an interrupted fetch left.
    func bringUpToDate(keys: OwnerKeys, locks: Bool) throws(ArchiveError) {
        if try reading({ try $0.tableExists("board") }) { try checkNumbers() }
        // They would act on what is stored and decoded from here on.
        if try reading({ try ForeignObjects($0).areActive }) {
            try transaction { try ForeignObjects.removeActive(in: $0, path: path) }
        }
        let isEarlier = try !reading(EvidenceSchema.migrator.hasCompletedMigrations)
        do {
            try EvidenceSchema.migrator.migrate(queue)
        } catch {
            throw translated(error)
        }
        if isEarlier, custody.adoptsEarlierRows { try transaction(adoptRows) }
        try checkKnownBoards()
        if !custody.vouchesForItself { try transaction(distrust) }
        let areCurrent = try reading(DerivedTables.areCurrent)
        if !areCurrent || !custody.hasFilledTables {
            try transaction { try fillDerivedTables(keys: keys, locks: locks, in: $0) }
        }
        try decodeWaitingSegments(keys: keys)
        try makeMissingEncounters()
    }
}

extension ArchiveFormat {
    /// Why a program may not write into a file with these tables; nil if it may.
    func refusalToWrite(_ path: String) -> ArchiveError? {
        switch self {
        case .empty, .numbered: nil
        case .version01: .outdated(path: path)
        case .unreleased: .tooOld(path: path)
        case .later: .tooNew(path: path)
        case .other: .noArchive(path: path)
        }
    }
}
