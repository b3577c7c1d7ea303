import ArgumentParser
import CommandLineText
import Configuration

struct PayloadFixedCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "fixed", abstract: "Make the payload of a device that stays who it is.",
        discussion: """
            Country, state, and a number in 8 bytes: what a board with herald.client_id shows, and devices with Herald for wearables. \
            It is for things: whoever carries it is recognised by everybody.

            Examples:
              tabardctl payload fixed --state 4 --client 123456789
              tabardctl payload fixed --port /dev/ttyACM0
            """)

    @OptionGroup var source: PayloadSource

    @Option(help: ArgumentHelp("The device's number within the state.", valueName: "number"))
    var client: String?

    @OptionGroup var output: PayloadOutput

    func validate() throws {
        guard source.isBoards || client != nil else {
            throw ValidationError(
                "say the device's number with --client; or whose payload it is, with --port or --configuration"
            )
        }
    }

    func execute() throws(Failure) {
        let values = try source.values([(.clientIdentifier, client)])
        guard values.herald.clientIdentifier != nil else {
            throw Failure(.data, "this board stands for a venue: `tabardctl payload venue` has what it shows")
        }
        try output.show([PayloadSource.payload(values)])
    }
}
