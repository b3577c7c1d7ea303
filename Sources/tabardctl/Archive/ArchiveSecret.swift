import CommandLineText
import Foundation
import KeyFiles

/// The secret by which this computer recognises the rows of archives that it has made itself.
struct ArchiveSecret {
    private static let byteCount = 32

    let path: String

    /// The secret for a command that writes. It is made if there is none, once for all commands that begin at
    /// the same time. Rows under a secret that is not kept could never be recognised again.
    func made() throws(Failure) -> [UInt8] {
        if let stored = try stored() { return stored }
        let secret = Self.random
        do throws(DurableFileError) {
            try DurableFile.makeFolder(DurableFile.folder(of: path))
            try DurableFile.createWhole(path, secret, mode: DurableFile.privateMode)
            return secret
        } catch {
            if case .exists = error, let stored = try stored() { return stored }
            throw Failure(
                .inputOutput,
                "\(path): cannot make the secret of this computer's archives; check that you can write there"
            )
        }
    }

    /// The secret for a command that only reads, or one under which nothing is proven.
    func read() -> [UInt8] {
        let reason: String
        do throws(Failure) {
            if let stored = try stored() { return stored }
            reason = "\(path): there is no secret of this computer's archives"
        } catch {
            reason = error.message
        }
        Self.report("tabardctl: \(reason); rows that no board signed count as another computer's")
        return Self.random
    }

    /// Nil if there is no file.
    private func stored() throws(Failure) -> [UInt8]? {
        do throws(DurableFileError) {
            let bytes = try DurableFile.read(path, maximumByteCount: 1 << 10)
            if bytes.count == Self.byteCount { return bytes }
        } catch {
            if case .absent = error { return nil }
            if case .cannotRead(_, let code) = error {
                // A folder of the path may be a file.
                if code == ENOTDIR { return nil }
                throw Failure(
                    code == EACCES ? .noPermission : .inputOutput,
                    "\(path): cannot read the file; check its permissions")
            }
        }
        throw Failure(
            .data,
            "\(path): not \(Self.byteCount) bytes; put a copy back, or remove it and run `tabardctl archive "
                + "upgrade --adopt`")
    }

    private static var random: [UInt8] { (0..<byteCount).map { _ in UInt8.random(in: 0...255) } }

    /// A command may open several archives.
    private static nonisolated(unsafe) var hasReported = false

    private static func report(_ text: String) {
        if !hasReported { Console.report(text) }
        hasReported = true
    }
}
