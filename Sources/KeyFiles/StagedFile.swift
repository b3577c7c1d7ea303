import Foundation

/// A secret's file that is whole and on the medium, but not in its place yet: it goes there when all else is done.
public struct StagedFile {
    public let path: String
    private let beside: String

    /// - Throws: `.exists` where there is something in its place.
    public init(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(DurableFileError) {
        self.path = path
        beside = "\(path).\(getpid()).new"
        try Self.requireAbsent(path)
        // Of one of our number that was killed.
        unlink(beside)
        do throws(DurableFileError) { try DurableFile.create(beside, bytes, mode: mode) } catch {
            guard case .cannotWrite(_, let code) = error else { throw error }
            throw .cannotWrite(path, code)
        }
    }

    /// Puts it in its place, where nothing may have come meanwhile.
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

    /// Leaves nothing behind.
    public func discard() { unlink(beside) }

    private static func requireAbsent(_ path: String) throws(DurableFileError) {
        guard !DurableFile.exists(path) else { throw .exists(path) }
    }
}
