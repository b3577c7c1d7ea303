import Authority
import CommandLineText
import Foundation
import KeyFiles
import TextFormats

/// Files that authorities and submitters keep and exchange, with failures as one line.
enum Documents {
    static func bytes(_ path: String, isPrivate: Bool = false) throws(Failure) -> [UInt8] {
        do throws(DurableFileError) { return try DurableFile.read(path, isPrivate: isPrivate) } catch {
            throw Failure(error)
        }
    }

    static func json(_ path: String, isPrivate: Bool = false) throws(Failure) -> JSONValue {
        let bytes = try bytes(path, isPrivate: isPrivate)
        do throws(JSONError) { return try JSONReader.read(bytes) } catch {
            throw Failure(
                .data,
                bytes.isEmpty
                    ? "\(path): the file is empty; fetch or write it again"
                    : "\(path): \(error); check that it is the right file and complete, or fetch it again"
            )
        }
    }

    /// A table in CSV whose first line names the columns.
    ///
    /// - Parameter columns: the columns that it may have.
    static func table(_ path: String, columns: [String]) throws(Failure) -> CSVTable {
        guard let text = String(validating: try bytes(path), as: UTF8.self) else {
            throw Failure(.data, "\(path): not UTF-8; save it as CSV in UTF-8")
        }
        do throws(CSVTableError) { return try CSVTable(text, columns: columns) } catch {
            throw Failure(.data, "\(path):\(error.line): \(error.reason)")
        }
    }

    /// The content of a file. An absent file counts as empty if `mayBeAbsent` is true.
    ///
    /// - Parameter name: the expected content, after "not a".
    static func document<Kept: JSONDocument>(
        _ path: String, isPrivate: Bool, mayBeAbsent: Bool = false, called name: String
    ) throws(Failure) -> Kept {
        if mayBeAbsent, !FileManager.default.fileExists(atPath: path) { return Kept() }
        guard let kept = Kept(try json(path, isPrivate: isPrivate)) else {
            throw Failure(.data, "\(path): not a \(name), or damaged; fetch or write it again")
        }
        return kept
    }

    /// The request in a file, as it would have been sent.
    static func request(_ path: String) throws(Failure) -> HTTPRequest {
        guard let request = HTTPRequest(parsing: try bytes(path)) else {
            throw Failure(.data, "\(path): not a complete request of `tabardctl submit`; write it again")
        }
        return request
    }

    /// Prepares a secret's file, which gets its final name once all other steps have succeeded.
    static func stage(_ path: String, _ bytes: [UInt8]) throws(Failure) -> StagedFile {
        do throws(DurableFileError) {
            return try StagedFile(path, bytes, mode: DurableFile.privateMode)
        } catch {
            throw Failure(error)
        }
    }

    static func place(_ file: StagedFile) throws(Failure) {
        do throws(DurableFileError) { try file.place() } catch { throw Failure(error) }
    }

    /// Replaces the file as a whole, or not at all.
    static func replace(_ path: String, _ json: JSONValue, isPrivate: Bool) throws(Failure) {
        try replace(path, json.line, isPrivate: isPrivate)
    }

    /// Replaces the file; "-" is standard output.
    static func replace(_ path: String, _ bytes: [UInt8], isPrivate: Bool) throws(Failure) {
        guard path != "-" else { return Console.write(Data(bytes)) }
        do throws(DurableFileError) {
            let mode = isPrivate ? DurableFile.privateMode : DurableFile.publicMode
            try DurableFile.replace(path, bytes, mode: mode)
        } catch {
            throw Failure(error)
        }
    }

    /// Locks the file's folder: no other tabardctl changes files in it until the returned lock ends.
    static func lock(_ path: String) throws(Failure) -> FolderLock {
        do throws(DurableFileError) { return try FolderLock(of: path) } catch { throw Failure(error) }
    }
}

extension Failure {
    init(_ error: DurableFileError) {
        switch error {
        case .absent(let path): self.init(.noInput, "\(path): no such file; check the name")
        case .cannotRead(let path, let code):
            self.init(
                code == EACCES || code == EPERM ? .noPermission : .inputOutput,
                "\(path): \(String(cString: strerror(code)))"
                    + (code == EACCES ? "; ask its owner, or run chmod u+r on it" : ""))
        case .cannotWrite(let path, let code): self.init(cannotWrite: path, code)
        case .tooOpen(let path):
            self.init(.noPermission, "\(path): other users can read this secret; run chmod 600 on it")
        case .notPlain(let path): self.init(.data, "\(path): a folder or device; give a file")
        case .tooLong(let path):
            self.init(.data, "\(path): too long for such a file; check that it is the right one")
        case .exists(let path):
            self.init(.cannotCreate, "\(path): already exists and was not changed; choose another name")
        case .busy(let path):
            self.init(.tryAgain, "\(path): another tabardctl is changing files there; wait for it to finish")
        }
    }

    /// The reason why a file cannot be created, and the remedy.
    ///
    /// - Parameter code: the system's error number (errno).
    init(cannotWrite path: String, _ code: Int32) {
        let folder = DurableFile.folder(of: path)
        // Foundation names neither a file in place of a folder, nor a name that is too long.
        let isBelowFile = FileStatus(folder)?.isFolder == false
        let longest = path.split(separator: "/").map(\.utf8.count).max() ?? 0
        switch code {
        case _ where isBelowFile:
            self.init(.noInput, "\(path): part of the path is not a folder; choose another place")
        case _ where longest > Int(NAME_MAX), ENAMETOOLONG:
            self.init(.inputOutput, "\(path): the name is too long; a name has at most \(NAME_MAX) bytes")
        case ENOENT:
            self.init(.noInput, "\(path): no folder \(folder); create it with mkdir -p \(folder)")
        case ENOTDIR:
            self.init(.noInput, "\(path): part of the path is not a folder; choose another place")
        case EACCES, EPERM, EROFS:
            self.init(
                .noPermission,
                "\(path): \(String(cString: strerror(code))); choose a folder that you can write to")
        case ENOSPC, EDQUOT:
            self.init(
                .inputOutput, "\(path): \(String(cString: strerror(code))); free some space and try again")
        case EISDIR: self.init(.usage, "\(path): is a folder; give a file in it")
        default: self.init(.inputOutput, "\(path): \(String(cString: strerror(code)))")
        }
    }
}
