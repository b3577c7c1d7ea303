import Archive
import CommandLineText
import Cryptography
import FixedMemory
import Foundation
import KeyFiles
import LogContents
import Synchronization

/// The files about archives in the user's configuration folder: a secret that proves rows, the known boards,
/// and the state of each archive when this program last closed it.
struct CustodyFiles {
    let archivePath: String
    let knownBoardsPath: String
    /// Whether the archive is the user's own one, at its usual place.
    let isDefault: Bool

    static var defaultKnownBoards: String { UserFolders.configuration + "/known-boards" }
    private static var secretPath: String { UserFolders.configuration + "/archive.secret" }

    /// - Parameter creates: makes the secret if there is none.
    /// - Throws: if the secret cannot be made or read, and is needed for writing.
    func custody(creates: Bool) throws(Failure) -> ArchiveCustody {
        let secret = ArchiveSecret(path: Self.secretPath)
        var custody = ArchiveCustody(
            secret: creates ? try secret.made() : secret.read(), knownBoards: knownBoards,
            adoptsEarlierRows: isDefault && !wasRecorded)
        custody.hasFilledTables = isUnchanged
        return custody
    }

    // MARK: Known boards

    var knownBoards: KnownBoards {
        KnownBoards(text: (try? String(contentsOfFile: knownBoardsPath, encoding: .utf8)) ?? "")
    }

    /// Refuses a list that is there and cannot be read whole. A board would be missing from it without a
    /// word.
    func requireKnownBoards() throws(Failure) {
        let bytes: [UInt8]
        do throws(DurableFileError) { bytes = try DurableFile.read(knownBoardsPath) } catch {
            if case .absent = error { return }
            if case .cannotRead(_, ENOTDIR) = error { return }
            throw Failure(error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.data, "\(knownBoardsPath): not UTF-8; write it again, or put a copy back")
        }
        if let line = KnownBoards.firstDamagedLine(of: text) {
            throw Failure(
                .data,
                "\(knownBoardsPath): line \(line) is not a log identity and a key; remove it, or put a copy back"
            )
        }
    }

    /// Adds the trusted boards of an archive to the list.
    func addBoards(of archive: Archive) throws(Failure) {
        var list = KnownBoards()
        try archiving { () throws(ArchiveError) in try archive.addBoards(to: &list) }
        for (board, keys) in list.keys {
            for key in keys { add(key, of: board) }
        }
    }

    /// Adds a line at the end of the list, so that other lines stay and several commands may do it at once.
    func add(_ key: Bytes<65>, of board: LogIdentity) {
        guard knownBoards.keys[board]?.contains(key) != true else { return }
        var line = KnownBoards()
        line.add(key, of: board)
        do throws(DurableFileError) {
            try DurableFile.makeFolder(DurableFile.folder(of: knownBoardsPath))
            try DurableFile.append(
                knownBoardsPath, Array(("\n" + line.text).utf8), mode: DurableFile.privateMode)
        } catch {
            Console.report("tabardctl: \(knownBoardsPath): cannot write the file; check its permissions")
        }
    }

    // MARK: The archive's state

    /// Whether nobody has changed the file since this program closed it. There is nothing to change in a file
    /// that does not exist.
    private var isUnchanged: Bool {
        guard let state else { return true }
        return !FileStatus.hasPendingTransactions(realPath) && isOnOwnMedium
            && (try? String(contentsOfFile: statePath, encoding: .utf8)) == state
    }

    /// Records the state of the file, after everything was moved into it.
    func recordState() {
        if let state { Self.write(Data(state.utf8), to: statePath) }
    }

    /// A file for each archive, so that commands on different archives do not wait for each other.
    private var statePath: String {
        let digest = SHA256.digest(of: Array(realPath.utf8).span)
        return UserFolders.configuration + "/archives/"
            + Array([UInt8](copying: digest.span).prefix(16)).hexadecimal
    }

    private var realPath: String { URL(filePath: archivePath).resolvingSymlinksInPath().path }

    /// Whether this program has ever closed an archive at this path.
    private var wasRecorded: Bool { FileManager.default.fileExists(atPath: statePath) }

    /// Only on the medium of the user's own files does the time of the last change prove anything. A computer
    /// that a medium was carried to can set any time on it.
    private var isOnOwnMedium: Bool {
        guard let archive = FileStatus(realPath), let own = FileStatus(UserFolders.configuration) else {
            return false
        }
        return archive.device == own.device
    }

    /// No program can set the time of the last change of a file's status. Nil if there is no such file.
    private var state: String? {
        FileStatus(realPath).map {
            "\($0.byteCount) \($0.inode) \($0.contentChange) \($0.statusChange) \(realPath)"
        }
    }

    /// Replaces a file of this folder, for its owner alone. Without it archives are decoded again, and rows
    /// count as unproven, so a failure stops no command.
    private static func write(_ data: Data, to path: String) {
        do {
            let place = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: place, options: .atomic)
        } catch {
            Console.report("tabardctl: \(path): cannot write the file (\(error.localizedDescription))")
        }
    }
}

/// The archives that this process has opened for writing.
enum OpenArchives {
    private static let opened = Mutex<[(archive: Archive, files: CustodyFiles)]>([])

    /// The archive at a path, if this process has it open. Its tables are current also while a fetch fills
    /// them, which no other connection could know.
    static func archive(at path: String) -> Archive? {
        opened.withLock { $0.first { $0.archive.path == path }?.archive }
    }

    /// The tables of an archive that is open for writing follow from its evidence.
    static func add(_ archive: Archive, _ files: CustodyFiles) {
        opened.withLock { $0.append((archive, files)) }
        settle()
    }

    /// Moves what was stored into the archives' files, and records their states.
    static func settle() {
        for (archive, files) in opened.withLock(\.self) {
            try? archive.checkpoint()
            files.recordState()
        }
    }

    /// Closes the archives and records their states. The command is over.
    static func close() {
        // Otherwise a program that still reads an archive moves what was stored into its file, later.
        settle()
        for (archive, files) in opened.withLock(\.self) {
            try? archive.close()
            files.recordState()
        }
        opened.withLock { $0 = [] }
    }
}
