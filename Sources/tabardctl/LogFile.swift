import Archive
import EncounterLog
import FixedMemory
import Foundation

/// A file that holds a log: an archive, or the bytes of a medium, or of segments one behind the other.
struct LogFile {
    let path: String

    /// The archive that it is; or one in memory of what it holds, with the board's key from another.
    func archive(keys: OpeningKeys, keysFrom other: String) throws(Failure) -> Archive {
        if try isArchive() {
            return try archiving { () throws(ArchiveError) in try Archive(path: path, access: .existing) }
        }
        let bytes = try bytes()
        guard let opening = SegmentContents.firstOpening(in: bytes),
            let board = LogIdentity([UInt8](copying: opening.logIdentity.span))
        else { throw Failure(.data, "\(path): no page can be read; is it a Tabard's log?") }
        let geometry = opening.geometry
        return try archiving { () throws(ArchiveError) in
            let archive = try Archive(inMemoryNamed: path)
            try archive.register(
                board, blockByteCount: geometry.blockByteCount, unitByteCount: geometry.unitByteCount)
            if FileManager.default.fileExists(atPath: other) {
                let keyring = try? Archive(path: other, access: .existing).keys(of: board)
                if let keyring { try archive.record(keyring, of: board) }
            }
            for start in stride(from: 0, to: bytes.count, by: geometry.segmentByteCount) {
                let segment = Array(bytes[start..<min(start + geometry.segmentByteCount, bytes.count)])
                guard
                    let ordinal = SegmentContents.ordinal(
                        of: segment, blockByteCount: geometry.blockByteCount)
                else { continue }
                // Blocks behind the last page were never written.
                let used = segment.lastIndex { $0 != 0xff }.map { $0 / geometry.blockByteCount + 1 } ?? 0
                try archive.append(
                    Array(segment.prefix(used * geometry.blockByteCount)), at: 0, segment: ordinal, of: board)
            }
            try archive.decodePages(of: board, keys: keys)
            return archive
        }
    }

    func bytes() throws(Failure) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe))
        } catch {
            throw Failure(.noInput, "\(path): \(error.localizedDescription)")
        }
    }

    /// Whether the file is an SQLite database.
    func isArchive() throws(Failure) -> Bool {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure(
                FileManager.default.fileExists(atPath: path) ? .noPermission : .noInput,
                "\(path): cannot be opened; check the name and that you may read it")
        }
        let start = try? handle.read(upToCount: 16)
        return start == Data("SQLite format 3\u{0}".utf8)
    }
}
