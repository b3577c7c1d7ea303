import Foundation

/// A secret's file that is complete and on the medium under a temporary name. It gets its own name when the
/// rest of the operation has succeeded.
public struct StagedFile {
    public let path: String
    private let beside: String

    /// - Throws: `.exists` if the path exists.
    public init(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(DurableFileError) {
        self.path = path
        beside = "\(path).\(getpid()).new"
        try Self.requireAbsent(path)
        // An earlier process with the same number may have been killed and left this file.
        unlink(beside)
        do throws(DurableFileError) { try DurableFile.create(beside, bytes, mode: mode) } catch {
            guard case .cannotWrite(_, let code) = error else { throw error }
            throw .cannotWrite(path, code)
        }
    }

    /// Renames the file to its path; throws if something has taken the path meanwhile.
    public func place() throws(DurableFileError) {
        do throws(DurableFileError) { try Self.requireAbsent(path) } catch {
            discard()
            throw error
        }
        guard rename(beside, path) == 0 else {
            let code = errno
            discard()
            throw .cannotWrite(path, code)
        }
        try DurableFile.synchroniseFolder(of: path)
    }

    /// Removes the temporary file.
    public func discard() { unlink(beside) }

    private static func requireAbsent(_ path: String) throws(DurableFileError) {
        guard !DurableFile.exists(path) else { throw .exists(path) }
    }
}
