import ArgumentParser
import BoardLink
import CommandLineText

struct ConfigCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show how a board is configured, or set some of it.",
        discussion: """
            Shows what is in force, with who set each key: a line of the board's file, its command line, or somebody over \
            the cable. docs/configuration.md says what each key means. The listing names files; it holds no secret.

            With `set` the board checks the keys as it checks its file, keeps them beside its own keys, and starts its agent \
            anew, in a second: they win over the file from then on. All of them are set, or none. What names the board's own \
            files and devices cannot be set so. A board that has an operator key wants this signed with it.

            Examples:
              tabardctl config /dev/ttyACM0
              tabardctl config /dev/ttyACM0 set log.retention_days=14 "herald.name=Adams Pizza"
            """)

    @Argument(help: ArgumentHelp("The board's serial port.", valueName: "port"))
    var port: String

    @Argument(help: ArgumentHelp("set, and then section.key=value, once or more.", valueName: "set"))
    var change: [String] = []

    @OptionGroup var keys: KeyOptions

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    func validate() throws {
        guard let first = change.first else { return }
        guard first == "set" else { throw ValidationError("\(first): the only thing to do is set") }
        guard change.count > 1 else { throw ValidationError("say what to set: section.key=value") }
        for assignment in change.dropFirst()
        where !assignment.contains("=") || assignment.contains(where: \.isNewline) {
            throw ValidationError("\(assignment): not of the form section.key=value, on one line")
        }
    }

    func execute() throws(Failure) {
        let client = try BoardPorts.open(port, baud: baud)
        if !change.isEmpty { client.operatorKey = try keys.key() }
        do throws(LinkError) {
            _ = try client.echo()
            guard !change.isEmpty else {
                return Console.print(
                    BoardText.plain(String(decoding: try client.configuration(), as: UTF8.self)))
            }
            let restarts = try client.configure(Array(change.dropFirst()))
            Console.print(
                restarts
                    ? "set; the board's agent starts anew and has it in force in a second"
                    : "set; in force when the board's agent starts next")
        } catch {
            throw Failure(error, saidBy: client, nothing: "was set")
        }
    }
}
