import CommandLineText
import Exports
import Foundation
import KeyFiles

/// The file with the secret of an export's pseudonyms.
enum PseudonymFile {
    /// Reads the secret; makes one for the operator alone if there is no such file.
    static func read(_ path: String) throws(Failure) -> Pseudonyms {
        if !FileManager.default.fileExists(atPath: path) {
            let secret = try NewSecret(path, byteCount: Pseudonyms.secretByteCount).bytes
            do throws(DurableFileError) {
                try DurableFile.create(path, secret, mode: DurableFile.privateMode)
            } catch {
                throw Failure(error)
            }
            Console.report(
                "\(path): a new secret; with it the same codes come out again, and whoever has it can tell who is "
                    + "who")
        }
        guard let pseudonyms = Pseudonyms(secret: try Documents.bytes(path, isPrivate: true)) else {
            throw Failure(
                .data,
                "\(path): a secret has at least \(Pseudonyms.fewestBytes) bytes; name a file that does not exist, "
                    + "and it is made")
        }
        return pseudonyms
    }
}
