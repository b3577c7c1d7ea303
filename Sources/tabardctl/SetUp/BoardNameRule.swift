import ArgumentParser
import LogContents

/// The rule for a board's name in the archive.
enum BoardNameRule {
    /// - Throws: a mistake of usage unless the name is one line of text.
    static func check(_ name: String) throws {
        guard !name.isEmpty, OneLineText.isPlain(name) else {
            throw ValidationError("--name must be one line of text, without control characters")
        }
    }
}
