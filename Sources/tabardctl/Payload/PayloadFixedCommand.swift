import ArgumentParser
import CommandLineText
import Configuration

struct PayloadFixedCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "fixed", abstract: "Create the payload of a device with a fixed identity.",
        usage: "tabardctl payload fixed [<options>]",
        discussion: """
            Examples:
              tabardctl payload fixed --state 4 --client 123456789
              tabardctl payload fixed --port /dev/ttyACM0

            The payload has the country, the state and a number of 8 bytes. A board with \
            herald.client_id serves it. It suits objects only: every peer can recognise a person who \
            carries it.
            """)

    @OptionGroup var source: PayloadSource

    @Option(
        help: ArgumentHelp(
            "Number of the device within the state, 0 to 9007199254740991.", valueName: "number"))
    var client: String?

    @OptionGroup var output: PayloadOutput

    func validate() throws {
        guard source.isBoards || client != nil else {
            throw ValidationError(
                "give the device number with --client, or a source with --port or --configuration"
            )
        }
    }

    func execute() throws(Failure) {
        let values = try source.values([(.clientIdentifier, client)])
        guard values.herald.clientIdentifier != nil else {
            throw Failure(.data, "this board represents a venue; use `tabardctl payload venue`")
        }
        try output.show([PayloadSource.payload(values)])
    }
}
