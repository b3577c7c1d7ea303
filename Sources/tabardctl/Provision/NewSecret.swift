import CommandLineText
import KeyFiles

/// A secret or root that was just made, and is in no file until everything else is known to be right.
struct NewSecret {
    let path: String
    let bytes: [UInt8]

    /// - Throws: where its file is there already.
    init(_ path: String, byteCount: Int) throws(Failure) {
        guard !DurableFile.exists(path) else { throw Self.alreadyThere(path) }
        self.path = path
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<byteCount).map { _ in .random(in: .min ... .max, using: &generator) }
    }

    /// Writes it; on the medium when this returns.
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
