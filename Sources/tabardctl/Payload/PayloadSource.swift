import ArgumentParser
import BoardLink
import CommandLineText
import Configuration
import FixedMemory
import Schemes

/// Where the payload of a beacon comes from: a board's configuration, or what is said on the command line, which is checked by the
/// same rules.
struct PayloadSource: ParsableArguments {
    @Option(
        help: ArgumentHelp("What the board at this serial port is, as it is configured.", valueName: "path"))
    var port: String?

    @Option(help: ArgumentHelp("What a board with this configuration file would be.", valueName: "file"))
    var configuration: String?

    @Option(help: ArgumentHelp("With --port: speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    @Option(help: ArgumentHelp("ISO 3166-1 numeric country; 826 unless said.", valueName: "number"))
    var country: String?

    @Option(help: ArgumentHelp("State within the country; 0, all of it, unless said.", valueName: "number"))
    var state: String?

    func validate() throws {
        if port != nil, configuration != nil {
            throw ValidationError("--port and --configuration cannot both be given")
        }
    }

    /// Whether nothing else is to be said.
    var isBoards: Bool { port != nil || configuration != nil }

    /// - Parameter own: what the command line says besides, of a beacon that is not a board's.
    func values(_ own: [(key: ConfigurationKey, text: String?)]) throws(Failure) -> AgentConfiguration {
        let said = (own + [(.country, country), (.state, state)]).filter { $0.text != nil }
        if isBoards, let first = said.first {
            throw Failure(
                .usage, "the board's configuration says all that there is; leave out its \(first.key.name)")
        }
        if let configuration { return try file(configuration) }
        if let port { return try board(port) }
        var effective = EffectiveConfiguration()
        do throws(ConfigurationError) {
            for (key, text) in said { try effective.override(key, with: Array((text ?? "").utf8).span) }
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
        guard effective.values.agent.role == .beacon else {
            throw Failure(
                .data,
                "\(name): a wearable, whose payload is another every six minutes: `tabardctl payload simple` makes those"
            )
        }
        return effective.values
    }

    /// The bytes that a board with these values serves.
    static func payload(_ values: AgentConfiguration) throws(Failure) -> [UInt8] {
        do throws(HeraldPayloadError) {
            return [UInt8](copying: try BeaconPayload.encoded(values.herald).span)
        } catch {
            throw Failure(.usage, "the texts are more than a payload has room for: \(error)")
        }
    }
}

extension ConfigurationError {
    /// What is wrong, and what to do, without where it stands.
    fileprivate var line: String {
        var text = FixedBuffer<1024>()
        // There is always room.
        try? write(to: &text)
        return String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
