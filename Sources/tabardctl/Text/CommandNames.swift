import ArgumentParser
import CommandLineText

/// The names of commands in a command line.
enum CommandNames {
    /// The error for the first word that should be a command and is none. The parser would call it an
    /// unexpected argument, or print the help of the command above it.
    static func mistake(in arguments: [String]) -> Failure? {
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        var command: any ParsableCommand.Type = Tabardctl.self
        var path: [String] = []
        for word in words {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let next = subcommands.first(where: { names(of: $0).contains(word) }) else {
                return isHelp(word, below: path) ? nil : failure(word, below: path, among: subcommands)
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    /// The parser itself adds this command.
    private static func isHelp(_ word: String, below path: [String]) -> Bool {
        word == "help" && path.isEmpty
    }

    private static func failure(
        _ word: String, below path: [String], among commands: [any ParsableCommand.Type]
    ) -> Failure {
        let place = path.map { $0 + " " }.joined()
        let meant = NearestText.nearest(to: word, among: commands.flatMap(names)).map {
            "did you mean \(place)\($0)? "
        }
        let help = (["tabardctl", "help"] + path).joined(separator: " ")
        return Failure(.usage, "no such command: \(place)\(word); \(meant ?? "")`\(help)` lists all")
    }
}
