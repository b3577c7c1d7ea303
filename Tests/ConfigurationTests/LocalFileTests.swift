import FixedMemory
import Testing

@testable import Configuration

/// The local file, which setup writes beside the package's file.
@Suite struct LocalFileTests {
    private static let main = "[herald]\nlocation = 1\narea = \"x\"\n"

    private func read(_ local: String) throws -> EffectiveConfiguration {
        var configuration = EffectiveConfiguration()
        try configuration.read(text: Self.main)
        try configuration.read(Array(local.utf8).span, as: .local)
        return configuration
    }

    @Test func `the local file overrides the file, and the command line overrides both`() throws {
        var configuration = try read("\n[herald]\nlocation = 7\nname = \"Foyer\"\n")
        #expect(configuration.values.herald.location == 7)
        #expect(configuration.origin(of: .location) == .localFile(line: 3))
        #expect(configuration.origin(of: .area) == .file(line: 3))
        try configuration.override(.location, text: "9")
        #expect(configuration.values.herald.location == 9)
    }

    @Test func `values set over the cable override the local file`() throws {
        var configuration = try read("[herald]\nlocation = 7\n")
        try configuration.read(Array("[herald]\nlocation = 8\n".utf8).span, as: .changes)
        #expect(configuration.values.herald.location == 8)
        #expect(configuration.origin(of: .location) == .cable)
    }

    @Test func `a key that the local file has twice is refused`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try read("[herald]\nlocation = 7\nlocation = 8\n")
        }
        #expect(error?.problem == .keyRepeated(firstLine: 2))
        #expect(error?.origin == .localFile(line: 3))
    }

    @Test func `an error that shows later names the local file`() throws {
        var configuration = try read("[log]\nloss_window_seconds = 2\n")
        let error = #expect(throws: ConfigurationError.self) { try configuration.validate() }
        var line = FixedBuffer<1024>()
        try error?.write(to: &line, fileName: Array("/etc/tabard/tabard.toml".utf8).span)
        #expect(String(line).hasPrefix("/etc/tabard/tabard.local.toml:2: log.loss_window_seconds: "))
    }

    @Test(arguments: [
        ("/etc/tabard/tabard.toml", "/etc/tabard/tabard.local.toml"),
        ("a.local.toml", "a.local.toml"), ("tabard.conf", nil), ("", nil),
    ]) func `the local file is named as the file, with local in its name`(path: String, local: String?) {
        let name = EffectiveConfiguration.localFile(besides: Array(path.utf8).span)
        #expect(name.map { String($0) } == local)
    }
}
