import ArgumentParser
import CommandLineText
import KeyFiles
import Reports

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
            usage: "tabardctl keys show <file> ... [<options>]",
            discussion: """
                Examples:
                  tabardctl keys show operator.pem opening.pub.pem

                Each line has the fingerprint, the half (public or private) and the file.
                """)

        @Argument(
            help: ArgumentHelp("Key file (PEM), private or public.", valueName: "file"),
            completion: ValueCompletion.key)
        var files: [String]

        @OptionGroup var output: OutputOptions

        func execute() throws(Failure) {
            let listing = try output.listing()
            var keys: [KeyDocument] = []
            for path in files { keys.append(KeyDocument(path, try Keys.open(path))) }
            guard listing.format == .table else {
                return try listing.write("the keys") { try PrintedJSON.data(rows: keys) }
            }
            for key in keys { listing.print("\(key.fingerprint)  \(key.half)  \(key.file)") }
            try listing.finish()
        }
    }
}
