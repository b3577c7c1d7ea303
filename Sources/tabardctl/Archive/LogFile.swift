import Archive
import CommandLineText
import EncounterLog
import FixedMemory
import Foundation
import KeyFiles
import LogContents

/// A file that contains a log: an archive, an image of a medium, or concatenated segments. Or a folder of
/// files with segments.
struct LogFile {
    let path: String

    /// The archive in the file; or one in memory with the file's log.
    ///
    /// - Parameters:
    ///   - custody: what this computer knows of its own archives.
    ///   - trusted: the keys of a board that count. They do not come from the file, and may have to be found
    ///     among those that it names.
    func archive(
        keys: OwnerKeys, custody: ArchiveCustody,
        trusted: (LogIdentity, Archive) throws(Failure) -> [StoredBoardKey]
    ) throws(Failure) -> Archive {
        if try isArchive() { return try judgedArchive(keys, custody, trusted) }
        let image = try image()
        guard let board = LogIdentity([UInt8](copying: image.logIdentity.span)) else { throw unreadable }
        let archive = try archiving { () throws(ArchiveError) in
            let archive = try Archive(inMemoryNamed: path, admitting: .unverified)
            try archive.register(
                board, blockByteCount: image.geometry.blockByteCount,
                unitByteCount: image.geometry.unitByteCount)
            return archive
        }
        let known = try trusted(board, archive)
        return try archiving { () throws(ArchiveError) in
            for key in known { try archive.record(key, of: board) }
            for slot in image.slots {
                guard let ordinal = slot.ordinal else { continue }
                try archive.append(slot.writtenBytes, at: 0, segment: ordinal, of: board)
            }
            try archive.decodePages(of: board, keys: keys)
            return archive
        }
    }

    /// The archive in the file, whose own tables count for nothing: neither those that are derived, nor the
    /// keys, nor rows of an earlier version.
    private func judgedArchive(
        _ keys: OwnerKeys, _ custody: ArchiveCustody,
        _ trusted: (LogIdentity, Archive) throws(Failure) -> [StoredBoardKey]
    ) throws(Failure) -> Archive {
        var custody = custody
        custody.adoptsEarlierRows = false
        // For its boards and the keys that it names, nothing need be decoded.
        custody.hasFilledTables = true
        let listing = try archiving { [custody] () throws(ArchiveError) in
            try Archive(path: path, access: .reading, custody: custody)
        }
        for board in try archiving({ () throws(ArchiveError) in try listing.boards() }) {
            for key in try trusted(board.identity, listing) {
                custody.knownBoards.add(key.keyring.publicKey, of: board.identity)
            }
        }
        custody.hasFilledTables = false
        return try archiving { [custody] () throws(ArchiveError) in
            try listing.close()
            return try Archive(path: path, access: .reading, keys: keys, custody: custody)
        }
    }

    /// The image in the file, or in the folder's files, if it is not an archive.
    func image() throws(Failure) -> LogImage {
        let files = try files()
        guard let image = LogImage(files.map(\.bytes)) else { throw unreadable }
        for cut in image.cuts {
            Console.report(
                "\(files[cut.file].path): ends after \(cut.byteCount) bytes, within a block of "
                    + "\(image.geometry.blockByteCount) bytes: what followed was cut off; copy the file again"
            )
        }
        return image
    }

    /// The file and its bytes; for a folder, those of each file in it that contains parts of a log.
    private func files() throws(Failure) -> [(path: String, bytes: [UInt8])] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [(path, try Self.bytes(path))]
        }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
            throw Failure(DurableFileError.cannotRead(path, EACCES))
        }
        var files: [(path: String, bytes: [UInt8])] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            let file = path + "/" + name
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            let bytes = isFolder.boolValue ? [] : try Self.bytes(file)
            if LogImage.isLog(bytes) {
                files.append((file, bytes))
            } else {
                Console.report("\(file): not part of a log; skipped")
            }
        }
        return files
    }

    private var unreadable: Failure {
        Failure(.data, "\(path): no readable page; check that it is a Tabard log")
    }

    private static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        try requirePlain(path)
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe))
        } catch {
            throw Failure(DurableFileError.cannotRead(path, DurableFile.errorNumber(error)))
        }
    }

    /// A pipe would be waited for without end, and a device has none.
    private static func requirePlain(_ path: String) throws(Failure) {
        guard let file = FileStatus(path) else {
            throw Failure(errno == EACCES ? DurableFileError.cannotRead(path, EACCES) : .absent(path))
        }
        guard file.isPlain else { throw Failure(DurableFileError.notPlain(path)) }
    }

    /// Whether the file is an SQLite database.
    func isArchive() throws(Failure) -> Bool {
        if FileStatus(path)?.isFolder == true { return false }
        try Self.requirePlain(path)
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure(DurableFileError.cannotRead(path, EACCES))
        }
        let start = try? handle.read(upToCount: 16)
        return start == Data("SQLite format 3\u{0}".utf8)
    }
}
