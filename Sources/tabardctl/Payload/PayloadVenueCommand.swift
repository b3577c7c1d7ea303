import ArgumentParser
import CommandLineText
import Configuration
import FixedMemory

struct PayloadVenueCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "venue", abstract: "Make the payload of a venue, and its QR code for a poster.",
        discussion: """
            Either of a board, as it is configured, or of what is said here: the same values give the same bytes. Whoever reads the QR \
            code at the door learns what his phone hears from the board inside. The four texts share 501 bytes.

            Examples:
              tabardctl payload venue --country 826 --state 4 --code 123456 --name "Adams Pizza" --area Bar
              tabardctl payload venue --port /dev/ttyACM0 --qr
              tabardctl payload venue --configuration /etc/tabard/tabard.toml --svg poster.svg
            """)

    @OptionGroup var source: PayloadSource

    @Option(help: ArgumentHelp("The venue's number within the state.", valueName: "number"))
    var code: String?

    @Option(help: ArgumentHelp("Name of the premises.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Area within the premises.", valueName: "text"))
    var area: String?

    @Option(help: ArgumentHelp("What tells areas of the same name apart.", valueName: "text"))
    var disambiguation: String?

    @Option(help: ArgumentHelp("Web address for visitors, https://…", valueName: "address"))
    var url: String?

    @OptionGroup var output: PayloadOutput

    func validate() throws {
        guard source.isBoards || code != nil else {
            throw ValidationError(
                "say the venue's number with --code; or whose payload it is, with --port or --configuration")
        }
    }

    func execute() throws(Failure) {
        let values = try source.values([
            (.location, code), (.name, name), (.area, area), (.disambiguation, disambiguation), (.url, url),
        ])
        guard values.herald.location != nil, values.herald.clientIdentifier == nil else {
            throw Failure(
                .data, "this board stands for no venue: `tabardctl payload fixed` has what it shows")
        }
        try output.show([PayloadSource.payload(values)], caption: Self.caption(values.herald))
    }

    /// What people are told of the venue: its name, where in it this is, and its numbers.
    private static func caption(_ herald: AgentConfiguration.Herald) -> [String] {
        let place = [text(herald.area), text(herald.disambiguation)].filter { !$0.isEmpty }
        let numbers = "\(herald.country)/\(herald.state)/\(herald.location ?? 0)"
        return [text(herald.name), place.joined(separator: ", "), numbers].filter { !$0.isEmpty }
    }

    private static func text(_ text: FixedText<256>) -> String {
        String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
