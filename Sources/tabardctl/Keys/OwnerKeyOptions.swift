import Archive
import ArgumentParser
import CommandLineText
import Cryptography
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
            valueName: "file"))
    var files: [String] = []

    /// No keys if no file was given and the default file does not exist.
    func keys() throws(Failure) -> OwnerKeys {
        var paths = files
        if paths.isEmpty, FileManager.default.fileExists(atPath: Self.defaultPath) {
            paths = [Self.defaultPath]
        }
        return try Keys.ownerKeys(paths)
    }
}
