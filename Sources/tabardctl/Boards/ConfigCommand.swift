import ArgumentParser
import BoardLink
import CommandLineText

struct ConfigCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show or change a board's configuration.",
        discussion: """
            Examples:
              tabardctl config /dev/ttyACM0
              tabardctl config /dev/ttyACM0 set log.retention_days=14 "herald.name=Adams Pizza"

            The listing shows each key that is in force and its origin: a line of the board's file, \
            the command line, or the cable. docs/configuration.md explains each key. The listing \
            names files and contains no secrets.

            With `set` the board checks all keys, stores them beside its own keys and restarts its \
            agent. It sets all of them or none. From then on they override the file. Keys that name \
            the board's own files and devices can only be set in the file. A board with an operator \
            key requires a signature with that key.
            """)

    @OptionGroup var port: PortOptions

    @Argument(help: ArgumentHelp("The word set, then one or more section.key=value.", valueName: "set"))
    var words: [String] = []

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    /// All arguments but the port. With --port the first argument is not the port.
    private var change: [String] { port.named == nil ? words : [port.first].compactMap(\.self) + words }

    func validate() throws {
        if port.named == nil { try port.requirePort() }
        guard let first = change.first else { return }
        guard first == "set" else {
            throw ValidationError("\(first): unknown action; the only action is set")
        }
        guard change.count > 1 else { throw ValidationError("give what to set: section.key=value") }
        for assignment in change.dropFirst()
        where !assignment.contains("=") || assignment.contains(where: \.isNewline) {
            throw ValidationError("\(assignment): not an assignment; write section.key=value on one line")
        }
    }

    func execute() throws(Failure) {
        let client = try BoardPorts.open(port.path ?? "", baud: baud)
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
                    ? "set; the board restarts its agent and applies the change within a second"
                    : "set; the board applies the change at the next start of its agent")
        } catch {
            throw Failure(error, saidBy: client, nothing: "was set")
        }
    }
}
