import Archive
import CommandLineText
import Cryptography
import FixedMemory
import Foundation
import LogContents

/// The size and the hash of a file that is being written.
final class ExportedFile {
    private(set) var byteCount = 0
    private var hash = SHA256()

    func add(_ data: Data) {
        byteCount += data.count
        hash.update([UInt8](data).span)
    }

    /// SHA-256 of what was written, in hexadecimal.
    func digest() -> String { [UInt8](copying: hash.finish().span).hexadecimal }
}

extension Failure {
    /// A failure while an archive was read for the file at `path`.
    init(archive error: any Error, _ path: String) {
        self =
            (error as? ArchiveError).map(Failure.init)
            ?? Failure(.inputOutput, "\(path): cannot write: \(error)")
    }
}
