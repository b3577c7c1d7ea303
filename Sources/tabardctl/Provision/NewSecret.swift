import CommandLineText
import KeyFiles

/// A new secret or root, kept in memory until all other checks have passed.
struct NewSecret {
    let path: String
    let bytes: [UInt8]

    /// - Throws: if the file exists already.
    init(_ path: String, byteCount: Int) throws(Failure) {
        guard !DurableFile.exists(path) else { throw Self.alreadyThere(path) }
        self.path = path
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<byteCount).map { _ in .random(in: .min ... .max, using: &generator) }
    }

    /// Writes the file; it is on the medium when this returns.
    func keep() throws(Failure) {
        do throws(DurableFileError) {
            try DurableFile.create(path, bytes, mode: DurableFile.privateMode)
        } catch {
            guard case .exists = error else { throw Failure(error) }
            throw Self.alreadyThere(path)
        }
        Console.print(
            "\(path): created (secret); keep a copy because all identities of the board derive from it")
    }

    private static func alreadyThere(_ path: String) -> Failure {
        Failure(
            .cannotCreate,
            "\(path): already exists and was not changed; omit --new to use it, or choose another file")
    }
}
