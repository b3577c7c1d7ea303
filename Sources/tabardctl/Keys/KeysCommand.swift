import ArgumentParser
import CommandLineText
import KeyFiles

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Create keys and show their fingerprints.",
        subcommands: [New.self, Show.self])

    struct New: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Create the owner and operator key pairs.",
            discussion: """
                Examples:
                  tabardctl keys new --directory ~/.config/tabard

                The command writes opening.pem, opening.pub.pem, operator.pem and operator.pub.pem, \
                and overwrites nothing. The files without .pub are secret.

                opening.pem is the owner key: it decrypts everything that boards record. Keep it and \
                a copy away from boards and docks. operator.pem signs commands. Keep it on the \
                computer that you plug boards into.
                """)

        @OptionGroup var pairs: NewKeyPairs

        func execute() throws(Failure) { try pairs.make("opening", "operator") }
    }

    struct Show: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the fingerprint of each key file.",
            discussion: """
                Examples:
                  tabardctl keys show operator.pem opening.pub.pem

                Each line has the fingerprint, the half (public or private) and the file.
                """)

        @Argument(help: ArgumentHelp("Key file (PEM), private or public.", valueName: "file"))
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
