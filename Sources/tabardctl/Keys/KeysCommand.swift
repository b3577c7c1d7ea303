import ArgumentParser
import CommandLineText
import KeyFiles

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Make keys, and show whose they are.",
        subcommands: [New.self, Show.self])

    struct New: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make the opening and the operator pair.",
            discussion: """
                Writes opening.pem, opening.pub.pem, operator.pem and operator.pub.pem, and overwrites nothing. The files \
                without .pub are secret. Who has opening.pem can read what boards record: keep it, and a copy, away from \
                boards and docks. operator.pem signs commands: it belongs on the computer that boards are plugged into.

                Examples:
                  tabardctl keys new --directory ~/.config/tabard
                """)

        @OptionGroup var pairs: NewKeyPairs

        func execute() throws(Failure) { try pairs.make("opening", "operator") }
    }

    struct Show: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Say which key a file holds: its half and fingerprint.",
            discussion: """
                Examples:
                  tabardctl keys show operator.pem opening.pub.pem
                """)

        @Argument(help: ArgumentHelp("Key files.", valueName: "file"))
        var files: [String]

        func execute() throws(Failure) {
            for path in files {
                let file = try Keys.open(path)
                let half = file.scalar == nil ? "public" : "private"
                Console.print("\(file.publicHalf.fingerprintText)  \(half)  \(path)")
            }
        }
    }
}
