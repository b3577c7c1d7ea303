import FixedMemory
import TestSupport
import Testing

@testable import Configuration

@Suite struct ReadingTests {
    @Test func `An empty file leaves every default`() throws {
        var configuration = EffectiveConfiguration()
        try configuration.read(text: "")
        #expect(configuration.values == AgentConfiguration())
        for key in ConfigurationKey.allKeys { #expect(configuration.origin(of: key) == .standard) }
    }

    @Test func `A beacon's file is read`() throws {
        let configuration = try EffectiveConfiguration.vector("beacon.toml")
        try configuration.validate()
        let values = configuration.values
        #expect(values.agent.role == .beacon)
        #expect(
            values.radio.hci == .serial(device: FixedText("/dev/ttyAMA0"), baud: 921_600, flowControl: true))
        #expect(values.radio.txPowerDBm == -4)
        #expect(values.herald.country == 826)
        #expect(values.herald.state == 4)
        #expect(values.herald.location == 123_456)
        #expect(String(values.herald.name) == "Adams Pizza")
        #expect(values.sync.port == .device(path: FixedText("/dev/ttyGS0")))
        #expect(configuration.origin(of: .location) == .file(line: 13))
        #expect(configuration.origin(of: .area) == .standard)
    }

    @Test func `A wearable's file needs no location`() throws {
        let configuration = try EffectiveConfiguration.vector("wearable.toml")
        #expect(configuration.values.agent.role == .wearable)
        try configuration.validate()
        #expect(String(configuration.values.herald.secret) == "/data/herald.secret")
        #expect(configuration.values.radio.scanIntervalMilliseconds == 1000)
        #expect(configuration.values.encounters.peers == 256)
    }

    @Test func `A beacon without a venue has a client id instead of a location`() throws {
        var configuration = EffectiveConfiguration()
        try configuration.read(text: "[agent]\nrole = \"beacon\"\n[herald]\nclient_id = 123456789\n")
        try configuration.validate()
        #expect(configuration.values.herald.clientIdentifier == 123_456_789)
        #expect(configuration.values.herald.location == nil)
    }

    @Test(arguments: [("relatives", ["f:2: schemes.relatives: renamed; write schemes.other"]), ("other", [])])
    func `A key's former name is accepted, and reported as renamed`(name: String, reports: [String]) throws {
        var configuration = EffectiveConfiguration()
        try configuration.read(text: "[schemes]\n\(name) = \"listen\"\n")
        #expect(configuration.values.schemes.other == .listen)
        #expect(configuration.renameReports == reports)
    }

    @Test func `A former name on the command line is reported until the new name overrides it`() throws {
        var configuration = EffectiveConfiguration()
        try configuration.apply(text: "schemes.relatives=listen")
        #expect(
            configuration.renameReports == ["command line: schemes.relatives: renamed; write schemes.other"])
        try configuration.apply(text: "schemes.other=off")
        #expect(configuration.renameReports == [] && configuration.values.schemes.other == .off)
    }

    @Test func `A key's two names in one file are one key, set twice`() throws {
        #expect(
            message(for: "[schemes]\nother = \"off\"\nrelatives = \"off\"\n")
                == "f:3: schemes.other: set twice, first on line 2; remove one of the two")
    }

    @Test func `A file that sets every key is read`() throws {
        let configuration = try EffectiveConfiguration.vector("every-key.toml")
        for key in ConfigurationKey.allKeys {
            #expect(configuration.origin(of: key) != .standard, "\(key.fullName)")
            #expect(
                configuration.values.value(of: key) != AgentConfiguration().value(of: key)
                    || key == .advertise)
        }
        let values = configuration.values
        #expect(values.radio.scan == false)
        #expect(
            values.agent.position
                == GeographicPosition(latitudeMicrodegrees: -33_868_800, longitudeMicrodegrees: 151_209_296))
        #expect(values.schemes.covidTracerProbeDBm == -60)
        #expect(values.herald.location == 4_294_967_295)
        #expect(values.herald.clientIdentifier == 9_007_199_254_740_991)
        #expect(String(values.herald.name) == #"Caffè "Ørsted" C:\Dublin"#)
        #expect(String(values.herald.area) == "Ebene ü 🍕")
        #expect(String(values.herald.disambiguation) == #"back\slash "as is""#)
        #expect(String(values.herald.url) == "https://example.org/venue?x=1#2")
        #expect(values.sync.port == .pseudoTerminal(link: FixedText("/run/tabard/sync")))
        #expect(String(values.keys.path) == "/data/board.keys")
        #expect(String(values.snoop.file) == "/tmp/air.btsnoop")
    }

    @Test func `Windows line ends, quoted keys, TOML's blanks and a missing last line end are read`()
        throws
    {
        let configuration = try EffectiveConfiguration.vector("windows.toml")
        #expect(configuration.values.herald.country == 826)
        #expect(configuration.values.herald.location == 123_456)
        #expect(String(configuration.values.herald.name) == #"Adams "Pizza""#)
        #expect(configuration.values.herald.url.isEmpty)
        #expect(String(configuration.values.log.path) == "/data/log")
        #expect(configuration.origin(of: .logPath) == .file(line: 8))
    }

    @Test func `A file that is refused changes nothing`() {
        var configuration = EffectiveConfiguration()
        #expect(throws: ConfigurationError.self) {
            try configuration.read(text: "[herald]\nlocation = 5\nstate = true\n")
        }
        #expect(configuration.values == AgentConfiguration())
        #expect(configuration.origin(of: .location) == .standard)
    }

    @Test(
        arguments: [
            ("0", 0), ("+0", 0), ("-0", 0), ("7", 7), ("+7", 7), ("1_0", 10), ("4294967295", 4_294_967_295),
            ("0000", nil), ("007", nil), ("1__0", nil), ("_1", nil), ("1_", nil), ("0x10", nil), ("0o7", nil),
            ("+", nil), ("-", nil), ("1e3", nil), ("1.0", nil), ("1979-05-27", nil), ("07:32:00", nil),
            ("12a", nil),
            ("--1", nil), ("inf", nil), ("nan", nil),
        ] as [(String, UInt32?)])
    func `Whole decimal numbers are read as in TOML`(text: String, number: UInt32?) {
        var configuration = EffectiveConfiguration()
        try? configuration.read(text: "[herald]\nlocation = \(text)\n")
        #expect(configuration.values.herald.location == number)
    }

    @Test(arguments: [
        (#""""#, ""), ("''", ""), (#""a""#, "a"), ("'a'", "a"), (#"" a # b ""#, " a # b "), ("'\"'", "\""),
        (#""\"\\""#, #""\"#), (#"'\n'"#, #"\n"#), (#""\u00E9""#, "é"), (#""\U0001F355""#, "🍕"),
        (#""é 漢 🍕""#, "é 漢 🍕"),
    ])
    func `Texts on one line are read as in TOML`(toml: String, text: String) throws {
        var configuration = EffectiveConfiguration()
        try configuration.read(text: "[herald]\nname = \(toml)")
        #expect(String(configuration.values.herald.name) == text)
    }
}
