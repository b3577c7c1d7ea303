import ArgumentParser
import CommandLineText
import Configuration
import FixedMemory

struct PayloadVenueCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "venue", abstract: "Create the payload of a venue, and its QR code.",
        usage: "tabardctl payload venue [<options>]",
        discussion: """
            Examples:
              tabardctl payload venue --country 826 --state 4 --location 123456 \\
                  --name "Adams Pizza" --area Bar
              tabardctl payload venue --port /dev/ttyACM0 --qr
              tabardctl payload venue --configuration /etc/tabard/tabard.toml \\
                  --svg poster.svg

            The values come from a board, from a configuration file or from the options. The same \
            values give the same bytes. The QR code at the door contains the payload that phones \
            receive from the board inside.
            """)

    @OptionGroup var source: PayloadSource

    @Option(help: ArgumentHelp("Number of the venue within the state, 0 to 4294967295.", valueName: "number"))
    var location: String?

    /// The option's earlier name.
    @Option(help: .hidden)
    var code: String?

    @Option(help: ArgumentHelp("Name of the premises. The four texts share 501 bytes.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Area within the premises.", valueName: "text"))
    var area: String?

    @Option(help: ArgumentHelp("Suffix that distinguishes areas of the same name.", valueName: "text"))
    var disambiguation: String?

    @Option(help: ArgumentHelp("Web address for visitors, starting with https://.", valueName: "address"))
    var url: String?

    @OptionGroup var output: PayloadOutput

    func validate() throws {
        if location != nil, code != nil {
            throw ValidationError("--code is an earlier name of --location; omit it")
        }
        guard source.isBoards || location ?? code != nil else {
            throw ValidationError(
                "give the venue number with --location, or a source with --port or --configuration")
        }
    }

    func execute() throws(Failure) {
        let values = try source.values([
            (.location, location ?? code), (.name, name), (.area, area), (.disambiguation, disambiguation),
            (.url, url),
        ])
        guard values.herald.location != nil, values.herald.clientIdentifier == nil else {
            throw Failure(
                .data, "this board does not represent a venue; use `tabardctl payload fixed`")
        }
        try output.show([PayloadSource.payload(values)], caption: Self.caption(values.herald))
    }

    /// The venue's caption for visitors: its name, the place within it, and its numbers.
    static func caption(_ herald: AgentConfiguration.Herald) -> [String] {
        let place = [text(herald.area), text(herald.disambiguation)].filter { !$0.isEmpty }
        let numbers = "\(herald.country)/\(herald.state)/\(herald.location ?? 0)"
        return [text(herald.name), place.joined(separator: ", "), numbers].filter { !$0.isEmpty }
    }

    private static func text(_ text: FixedText<256>) -> String {
        String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
