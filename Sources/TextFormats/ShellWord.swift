/// Words of commands that people copy into a shell.
public enum ShellWord {
    /// The words of a command, each as ``quoted(_:)`` writes it.
    public static func command(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// The word as a POSIX shell reads it back: as it is if nothing in it is special, else in single quotes.
    public static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-:+=@%,".utf8.contains(byte)
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
