/// Text for a POSIX shell.
enum ShellText {
    /// The words of a command, each in quotes if it needs them.
    static func command(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:+,=@".contains($0)) }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
