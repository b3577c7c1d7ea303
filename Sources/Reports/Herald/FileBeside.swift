import Foundation
import KeyFiles

/// A file that is written under a temporary name in the same folder, and replaces the target when complete.
/// An incomplete file is removed.
final class FileBeside {
    private let path: String
    private let temporaryPath: String
    private let handle: FileHandle
    private var hasTakenPlace = false

    init(path: String) throws(HeraldExportError) {
        self.path = path
        temporaryPath = path + ".\(ProcessInfo.processInfo.processIdentifier).tmp"
        do {
            try Data().write(to: URL(filePath: temporaryPath))
            handle = try FileHandle(forWritingTo: URL(filePath: temporaryPath))
        } catch {
            throw .cannotWrite(path: path, DurableFile.errorNumber(error))
        }
    }

    deinit {
        if !hasTakenPlace { unlink(temporaryPath) }
    }

    func append(_ bytes: [UInt8]) throws(HeraldExportError) {
        do { try handle.write(contentsOf: bytes) } catch {
            throw .cannotWrite(path: path, DurableFile.errorNumber(error))
        }
    }

    func takePlace() throws(HeraldExportError) {
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw .cannotWrite(path: path, DurableFile.errorNumber(error))
        }
        guard rename(temporaryPath, path) == 0 else {
            throw .cannotWrite(path: path, errno)
        }
        hasTakenPlace = true
    }
}
