import FixedMemory
import Testing

@testable import Configuration

/// Tests of settings over the sync port.
@Suite struct ChangeTests {
    private func changed(_ assignments: String, from file: String = "[herald]\nlocation = 1\n") throws
        -> EffectiveConfiguration
    {
        var configuration = EffectiveConfiguration()
        try configuration.read(Array(file.utf8).span)
        try configuration.change(Array(assignments.utf8).span)
        return configuration
    }

    private func changes(_ configuration: EffectiveConfiguration) throws -> [UInt8] {
        var text = FixedBuffer<8192>()
        try configuration.write(to: &text, onlyChanges: true)
        return (0..<text.count).map { text[$0] }
    }

    @Test func `changes are in their own file and override the board's file`() throws {
        let first = try changed("herald.location=7\nherald.name=\"A \\\"B\\\"\"\nradio.tx_power_dbm=-4")
        #expect(first.origin(of: .location) == .cable)
        let file = try changes(first)
        var second = EffectiveConfiguration()
        try second.read(Array("[herald]\nlocation = 1\narea = \"x\"\n".utf8).span)
        try second.read(file.span, as: .changes)
        #expect(second.values.herald.location == 7)
        #expect(second.values.herald.name == FixedText("A \"B\""))
        #expect(second.values.radio.txPowerDBm == -4)
        #expect(second.origin(of: .area) == .file(line: 3))
        #expect(try changes(second) == file)
    }

    @Test func `the command line overrides all files`() throws {
        let file = try changes(changed("herald.location=7"))
        var configuration = EffectiveConfiguration()
        try configuration.override(.location, with: Array("3".utf8).span)
        try configuration.read(file.span, as: .changes)
        #expect(configuration.values.herald.location == 3)
        let error = #expect(throws: ConfigurationError.self) {
            try configuration.change(Array("herald.location=9".utf8).span)
        }
        #expect(error?.problem == .setByCommandLine)
    }

    /// An operator could only correct a mistake in one of these keys at the board itself.
    @Test func `keys that belong to the board itself cannot be changed`() throws {
        var refused: [String] = []
        var keys = ConfigurationKey.all
        while let key = keys.next() {
            guard !key.definition.kind.canBeSetOverCable else { continue }
            refused.append("\(key.section.name).\(key.name)")
        }
        #expect(
            refused == [
                "radio.hci", "radio.power", "herald.secret", "log.path", "keys.path", "sync.port",
                "sync.baud",
                "snoop.file",
            ])
        let error = #expect(throws: ConfigurationError.self) { try changed("snoop.file=/tmp/x") }
        #expect(error?.problem == .notOverCable)
        #expect(error?.key == .snoopFile)
    }

    @Test func `the file of changes is beside the key file`() throws {
        var configuration = EffectiveConfiguration()
        #expect(
            configuration.values.changesFile == FixedText("/var/lib/tabard/encounters.log.keys.toml"))
        try configuration.override(.keysPath, with: Array("/a/k".utf8).span)
        #expect(configuration.values.changesFile == FixedText("/a/k.toml"))
        let long = Array(("/" + String(repeating: "k", count: 253)).utf8)
        try configuration.override(.keysPath, with: long.span)
        #expect(configuration.values.changesFile == nil)
    }
}
