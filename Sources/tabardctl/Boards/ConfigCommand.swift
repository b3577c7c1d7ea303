import ArgumentParser
import BoardLink
import CommandLineText
import Configuration
import FixedMemory

struct ConfigCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show or change a board's configuration.",
        usage: """
            tabardctl config <port> [get <key> ... | set <key>=<value> ...]
              [<options>]
            """,
        discussion: """
            Examples:
              tabardctl config /dev/ttyACM0
              tabardctl config /dev/ttyACM0 get herald.name log.retention_days
              tabardctl config /dev/ttyACM0 set log.retention_days=14 \\
                  "herald.name=Adams Pizza"
              tabardctl config /dev/ttyACM0 set radio.duty=balanced --dry-run

            The listing shows the effective value of each key and its origin: a line of the board's \
            file, the command line, or the cable. docs/configuration.md explains each key. The \
            listing names files and contains no secrets. With `get` the command prints the lines of \
            some keys.

            With `set` the board checks all keys, stores them beside its own keys and restarts its \
            agent. It sets all of them or none. From then on they override the file. Keys that name \
            the board's own files and devices can only be set in the file. A board with an operator \
            key requires a signature with that key.
            """)

    @OptionGroup var port: PortOptions

    @Argument(
        help: ArgumentHelp(
            "The word get, then one or more section.key; or the word set, then one or more "
                + "section.key=value.",
            valueName: "action"))
    var words: [String] = []

    @Flag(help: "With set: check the values and show what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    private var action: [String] { port.others(words) }
    private var keysToGet: [String] { action.first == "get" ? Array(action.dropFirst()) : [] }
    private var assignments: [String] { action.first == "set" ? Array(action.dropFirst()) : [] }

    func validate() throws {
        if port.named == nil {
            try port.requirePort()
            if let word = port.first, ["get", "set", "unset"].contains(word) {
                throw ValidationError("give the board's serial port before \(word)")
            }
        }
        guard !dryRun || action.first == "set" else { throw ValidationError("--dry-run needs set") }
        switch action.first {
        case nil: return
        case "get":
            guard action.count > 1 else { throw ValidationError("give what to get: section.key") }
        case "set":
            guard action.count > 1 else { throw ValidationError("give what to set: section.key=value") }
            for assignment in assignments
            where !assignment.contains("=") || assignment.contains(where: \.isNewline) {
                throw ValidationError(
                    "\(assignment): not an assignment; write section.key=value on one line")
            }
        case "unset":
            let key = action.dropFirst().first ?? "section.key"
            guard ConfigurationListing.isSetOverCable(key) else {
                throw ValidationError(
                    "\(key): names a file or device of the board; change it in the board's configuration file"
                )
            }
            throw ValidationError(
                "unset: a board keeps what was set over the cable; set the default value instead: set "
                    + (ConfigurationListing.standardAssignment(of: key) ?? "\(key)=value"))
        case let other?: throw ValidationError("\(other): unknown action; the actions are get and set")
        }
    }

    func execute() throws(Failure) {
        let client = try BoardPorts.open(port.path ?? "", baud: baud)
        if !assignments.isEmpty { client.operatorKey = try keys.key() }
        let listing: String
        do throws(LinkError) {
            _ = try client.echo()
            guard assignments.isEmpty || dryRun else {
                let restarts = try client.configure(assignments)
                return Console.print(
                    restarts
                        ? "set; the board restarts its agent and applies the change within a second"
                        : "set; the board applies the change at the next start of its agent")
            }
            listing = BoardText.plain(String(decoding: try client.configuration(), as: UTF8.self))
        } catch {
            throw Failure(error, saidBy: client, nothing: "was set")
        }
        guard !dryRun else { return try showChange(of: listing) }
        guard !keysToGet.isEmpty else { return Console.print(listing) }
        let lines = ConfigurationListing(listing)
        for line in try keysToGet.map({ key throws(Failure) in try lines.line(of: key) }) {
            Console.print(line)
        }
    }

    /// Prints what the assignments would change, or why the board would refuse them.
    private func showChange(of listing: String) throws(Failure) {
        var changed = EffectiveConfiguration()
        // As long as EffectiveConfiguration.maximumListingByteCount, so it always suffices.
        var text = FixedBuffer<8192>()
        do throws(ConfigurationError) {
            try changed.read(Array(listing.utf8).span)
            for assignment in assignments { try changed.apply(Array(assignment.utf8).span, from: .cable) }
            try changed.validate()
        } catch {
            throw Failure(.usage, "the board would refuse this: \(error.line)")
        }
        try? changed.write(to: &text)
        let (before, after) = (
            ConfigurationListing(listing),
            ConfigurationListing(String(decoding: [UInt8](copying: text.span), as: UTF8.self))
        )
        for assignment in assignments {
            let key = String(assignment.prefix { $0 != "=" })
            Console.print("now   \(try before.line(of: key))")
            Console.print("then  \(try after.line(of: key))")
        }
        Console.report("nothing was set, because of --dry-run")
    }
}
