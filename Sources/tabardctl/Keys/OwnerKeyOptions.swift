import Archive
import ArgumentParser
import CommandLineText
import Cryptography
import FixedMemory
import Foundation
import KeyFiles
import LogContents

/// The owner keys that decrypt boards' pages.
struct OwnerKeyOptions: ParsableArguments {
    static let defaultPath = Keys.defaultPath("opening")

    @Option(
        name: .customLong("opening"),
        help: ArgumentHelp(
            "Owner private key (PEM) that decrypts pages; may be repeated, for older keys; default: "
                + "~/.config/tabard/opening.pem, if it exists.",
            valueName: "file"), completion: ValueCompletion.key)
    var files: [String] = []

    /// No keys if no file was given and the default file does not exist.
    func keys() throws(Failure) -> OwnerKeys { try Keys.ownerKeys(paths) }

    /// The private scalars, 32 bytes each, big-endian. There are none if no file was given and the default
    /// file does not exist.
    func scalars() throws(Failure) -> [Bytes<32>] {
        try paths.map { path throws(Failure) in try Keys.privateScalar(path) }
    }

    private var paths: [String] {
        guard files.isEmpty else { return files }
        return FileManager.default.fileExists(atPath: Self.defaultPath) ? [Self.defaultPath] : []
    }
}
