import Configuration
import FixedMemory

/// The input is a configuration file, and an assignment as on the command line.
enum ConfigurationTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        try read(input)
        try apply(input)
    }

    private static func read(_ file: [UInt8]) throws(FuzzFinding) {
        var configuration = EffectiveConfiguration()
        if let error = refusal({ () throws(ConfigurationError) in try configuration.read(file.span) }) {
            try requireWords(for: error)
            try require(
                configuration.values == AgentConfiguration(), "a file that is refused changes nothing")
            return
        }
        if let error = refusal({ () throws(ConfigurationError) in try configuration.validate() }) {
            try requireWords(for: error)
        }
        try requireListing(of: configuration)
    }

    private static func apply(_ assignment: [UInt8]) throws(FuzzFinding) {
        var configuration = EffectiveConfiguration()
        if let error = refusal({ () throws(ConfigurationError) in try configuration.apply(assignment.span) })
        {
            try requireWords(for: error)
        } else {
            try requireListing(of: configuration)
        }
    }

    private static func refusal(_ body: () throws(ConfigurationError) -> Void) -> ConfigurationError? {
        do throws(ConfigurationError) { try body() } catch { return error }
        return nil
    }

    /// A listing must be a valid configuration with the same values.
    private static func requireListing(of configuration: EffectiveConfiguration) throws(FuzzFinding) {
        var listing = FixedBuffer<8192>()
        guard (try? configuration.write(to: &listing)) != nil else {
            throw FuzzFinding(description: "a listing has room")
        }
        var again = EffectiveConfiguration()
        let error = refusal { () throws(ConfigurationError) in try again.read(listing.span) }
        try require(error == nil, "a listing is a configuration")
        try require(again.values == configuration.values, "a listing read is the same configuration")
    }

    private static func requireWords(for error: ConfigurationError) throws(FuzzFinding) {
        var line = FixedBuffer<1024>()
        let name = Array("tabard.toml".utf8)
        try require(
            (try? error.write(to: &line, fileName: name.span)) != nil, "an error has words that fit a line")
        for byte in line.span.array {
            try require(byte >= 0x20 && byte != 0x7f, "an error is one line of text")
        }
    }
}
