import ArgumentParser
import CommandLineText
import KeyFiles

/// The folder for new key pairs.
struct NewKeyPairs: ParsableArguments {
    @Option(
        help: ArgumentHelp("Output folder, created if needed.", valueName: "path"),
        completion: .directory)
    var directory = "."

    /// Creates all of these pairs; none if a file of any exists already.
    func make(_ names: String...) throws(Failure) {
        do throws(DurableFileError) { try DurableFile.makeFolder(directory) } catch { throw Failure(error) }
        do throws(KeyFileError) {
            try KeyPair.requireAbsent(names, in: directory)
            var lines: [String] = []
            for name in names {
                let pair = KeyPair()
                try pair.write(name, in: directory)
                let fingerprint = pair.publicHalf.map(\.fingerprintText) ?? "-"
                lines.append(
                    "\(name) key \(fingerprint): \(KeyPair.privatePath(name, in: directory)) (secret), "
                        + KeyPair.publicPath(name, in: directory))
            }
            // Output that cannot be written ends the program.
            Console.print(lines.joined(separator: "\n"))
        } catch {
            throw Failure(error)
        }
    }
}
