import ArgumentParser
import BoardLink
import CommandLineText
import Configuration
import FixedMemory
import Schemes

/// The source of a beacon's payload: a board's configuration, or values on the command line. The same rules
/// check both.
struct PayloadSource: ParsableArguments {
    @Option(
        help: ArgumentHelp("Serial port of a board: use its configuration.", valueName: "path"),
        completion: ValueCompletion.port)
    var port: String?

    @Option(
        help: ArgumentHelp("Configuration file: use the values in it.", valueName: "file"),
        completion: .file())
    var configuration: String?

    @Option(help: ArgumentHelp("With --port: serial speed in bit/s, 9600 to 4000000.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var region: RegionOptions

    func validate() throws {
        if port != nil, configuration != nil {
            throw ValidationError("--port and --configuration cannot both be given")
        }
    }

    /// Whether a configuration has all values, so that the command line must not state any.
    var isBoards: Bool { port != nil || configuration != nil }

    /// - Parameter own: the other values on the command line, for a beacon that is not a board.
    func values(_ own: [(key: ConfigurationKey, text: String?)]) throws(Failure) -> AgentConfiguration {
        let said = (own + [(.country, region.country), (.state, region.state)]).filter { $0.text != nil }
        if isBoards, let first = said.first {
            throw Failure(
                .usage, "the configuration already has \(first.key.name); omit that option")
        }
        if let configuration { return try file(configuration) }
        if let port { return try board(port) }
        var effective = EffectiveConfiguration()
        do throws(ConfigurationError) {
            for (key, text) in said {
                try effective.override(
                    key, with: Array(ConfigurationText.value(text ?? "", of: key).utf8).span)
            }
            try effective.validate()
        } catch {
            throw Failure(.usage, error.line)
        }
        return effective.values
    }

    private func file(_ path: String) throws(Failure) -> AgentConfiguration {
        let bytes = try Documents.bytes(path)
        return try Self.values(bytes, of: path, isFile: true)
    }

    private func board(_ port: String) throws(Failure) -> AgentConfiguration {
        let client = try BoardPorts.open(port, baud: baud)
        let listing: [UInt8]
        do throws(LinkError) {
            _ = try client.echo()
            listing = try client.configuration()
        } catch {
            throw Failure(error)
        }
        return try Self.values(listing, of: port, isFile: false)
    }

    private static func values(
        _ bytes: [UInt8], of name: String, isFile: Bool
    ) throws(Failure) -> AgentConfiguration {
        var effective = EffectiveConfiguration()
        do throws(ConfigurationError) {
            try effective.read(bytes.span)
            try effective.validate()
        } catch {
            var place = name
            if isFile, case .file(let line) = error.origin { place += ":\(line)" }
            throw Failure(.data, "\(place): \(error.line)")
        }
        guard effective.values.isSetUp else {
            throw Failure(.data, "\(name): the board is not set up; run `tabardctl setup` with its port")
        }
        guard effective.values.agent.role == .beacon else {
            throw Failure(
                .data,
                "\(name): a wearable, whose payload changes every six minutes; use `tabardctl payload simple`"
            )
        }
        return effective.values
    }

    /// The bytes that a board with these values serves.
    static func payload(_ values: AgentConfiguration) throws(Failure) -> [UInt8] {
        do throws(HeraldPayloadError) {
            return [UInt8](copying: try BeaconPayload.encoded(values.herald).span)
        } catch {
            throw Failure(.usage, "the texts do not fit the payload (\(error)); shorten them")
        }
    }
}
