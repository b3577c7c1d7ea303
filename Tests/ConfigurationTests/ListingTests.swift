import FixedMemory
import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite struct ListingTests {
    static func listing(_ configuration: EffectiveConfiguration) throws -> String {
        var buffer = FixedBuffer<8192>()
        try configuration.write(to: &buffer)
        return String(buffer)
    }

    @Test(arguments: ["beacon.toml", "wearable.toml", "every-key.toml", "windows.toml"])
    func `A listing can be read back as a configuration file`(name: String) throws {
        let configuration = try EffectiveConfiguration.vector(name)
        var copy = EffectiveConfiguration()
        try copy.read(text: try Self.listing(configuration))
        #expect(copy.values == configuration.values)
    }

    @Test func `Each line of a listing names the origin of its value`() throws {
        var configuration = try EffectiveConfiguration.vector("beacon.toml")
        try configuration.apply(text: "herald.area=Bar \"2\"")
        let lines = try Self.listing(configuration).split(separator: "\n")
        #expect(lines.contains("location = 123456  # line 13"))
        #expect(lines.contains(#"area = "Bar \"2\""  # command line"#))
        #expect(lines.contains("scan = true  # default"))
        #expect(lines.contains(#"address = ""  # default"#))
        #expect(lines.contains(#"hci = "serial:/dev/ttyAMA0,921600,rtscts"  # line 7"#))
    }

    @Test func `A key without a value is listed as a comment`() throws {
        let listing = try Self.listing(EffectiveConfiguration())
        #expect(listing.contains("\n# location = (none)  # default\n"))
        var copy = EffectiveConfiguration()
        try copy.read(text: listing)
        #expect(copy.values == AgentConfiguration())
    }

    @Test func `The longest listing fits the documented limit`() throws {
        var configuration = EffectiveConfiguration()
        for key in ErrorMessageTests.integerKeys {
            guard case .integer(let minimum, let maximum) = key.definition.kind else { continue }
            let longest = "\(minimum)".count > "\(maximum)".count ? minimum : maximum
            try configuration.override(key, text: "\(longest)")
        }
        let quotes = String(repeating: "\"", count: 250)
        for key in [.name, .area, .disambiguation, .secret, .logPath, .snoopFile] as [ConfigurationKey] {
            try configuration.override(key, text: "x" + quotes)
        }
        try configuration.override(.url, text: "https://" + quotes.dropLast(8))
        try configuration.override(.syncPort, text: "/" + quotes.prefix(126))
        try configuration.override(.hci, text: "serial:" + quotes.prefix(127) + ",4000000,rtscts")
        try configuration.override(.address, text: "C0:12:34:56:78:9A")
        #expect(try Self.listing(configuration).utf8.count < EffectiveConfiguration.maximumListingByteCount)
    }
}

@Suite struct ManualTests {
    @Test func `The manual's table matches the code`() throws {
        var buffer = FixedBuffer<16384>()
        try ConfigurationManual.writeMarkdown(to: &buffer)
        let manual = try String(contentsOf: Vectors.url("../../docs/configuration.md"), encoding: .utf8)
        #expect(
            manual.contains("\n\n" + String(buffer) + "\n"),
            "docs/configuration.md should hold this table:\n\(String(buffer))")
    }

    @Test func `Help names every key with its default`() throws {
        var buffer = FixedBuffer<16384>()
        try ConfigurationManual.writePlain(to: &buffer)
        let help = String(buffer)
        for key in ConfigurationKey.allKeys {
            #expect(help.contains("\n  \(key.name) = "))
            #expect(help.contains("      \(key.definition.meaning)\n      value: "))
        }
        #expect(help.contains("  gap_seconds = 30\n"))
    }

    @Test func `The manual's example is a valid configuration`() throws {
        let manual = try String(contentsOf: Vectors.url("../../docs/configuration.md"), encoding: .utf8)
        let example = try #require(manual.components(separatedBy: "```toml\n").dropFirst().first)
        #expect(message(for: try #require(example.components(separatedBy: "```").first)) == nil)
    }
}

@Suite struct KeyTableTests {
    @Test func `The counts of sections and keys are right`() {
        #expect(ConfigurationKey(rawValue: UInt8(ConfigurationKey.count)) == nil)
        #expect(ConfigurationKey.allKeys.count == ConfigurationKey.count)
        #expect(Set(ConfigurationKey.allKeys.map(\.fullName)).count == ConfigurationKey.count)
        #expect(ConfigurationSection(rawValue: 9) == nil)
    }

    @Test(arguments: ConfigurationKey.allKeys)
    func `Every default is valid for its key`(key: ConfigurationKey) throws {
        let value = AgentConfiguration().value(of: key)
        guard value != .none else { return }
        var copy = AgentConfiguration()
        try copy.set(key, to: value)
        #expect(copy == AgentConfiguration())
    }

    @Test(arguments: ConfigurationKey.allKeys)
    func `Every key is found by its name, and suggested for its name with two letters swapped`(
        key: ConfigurationKey
    ) {
        let name = Array("\(key.name)".utf8)
        let found = ConfigurationKey(named: name.span, in: key.section)
        #expect(found == key)
        var swapped = name
        swapped.swapAt(1, 2)
        guard swapped != name else { return }
        let nearest = ConfigurationKey.nearest(to: swapped.span, in: key.section)
        #expect(nearest == key)
    }
}
