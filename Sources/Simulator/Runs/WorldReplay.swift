import TextFormats

/// A world of one seed and one version, with the command that replays it exactly.
public struct WorldReplay: Sendable {
    public let seed: UInt64
    /// The version under test.
    public let commit: String
    /// The command, quoted for a shell.
    public let command: String

    /// - Parameter command: The command, already quoted for a shell.
    public init(seed: UInt64, commit: String, command: String) {
        self.seed = seed
        self.commit = commit
        self.command = command
    }

    /// - Parameter words: The words of the command, not yet quoted.
    public init(seed: UInt64, commit: String, words: [String]) {
        self.init(seed: seed, commit: commit, command: ShellWord.command(words))
    }

    /// The failure in one line.
    public func failure(_ what: String) -> String {
        // A search for the seed would find only the first line of a longer text.
        let line = what.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "seed \(seed), commit \(commit): \(line); replay: \(command)"
    }

    /// The name of the world, printed before it starts, in case it ends the program.
    public var name: String { "seed \(seed), commit \(commit) (replay: \(command))" }
}
