import KeyFiles
import Reports

/// A key file, as `tabardctl keys show --json` prints it. Later versions only add fields; they never rename
/// or remove one.
struct KeyDocument: PrintedRow {
    static let schema = PrintedSchema("keys")

    let file: String
    /// `public` or `private`.
    let half: String
    let fingerprint: String

    init(_ path: String, _ key: KeyFile) {
        file = path
        half = key.scalar == nil ? "public" : "private"
        fingerprint = key.publicHalf.fingerprintText
    }
}
