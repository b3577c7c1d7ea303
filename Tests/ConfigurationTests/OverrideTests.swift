import TestSupport
import Testing

@testable import Configuration

@Suite struct OverrideTests {
    @Test func `An assignment on the command line wins over the file`() throws {
        var configuration = try EffectiveConfiguration.vector("beacon.toml")
        try configuration.apply(text: "herald.location=7")
        try configuration.apply(text: "radio.scan = false")
        try configuration.override(.hci, text: "unix:/tmp/hci.sock")
        #expect(configuration.values.herald.location == 7)
        #expect(configuration.values.radio.scan == false)
        #expect(configuration.values.radio.hci == .unixStream(path: FixedText("/tmp/hci.sock")))
        #expect(configuration.origin(of: .location) == .commandLine)
        #expect(configuration.origin(of: .state) == .file(line: 12))
    }

    @Test func `The last assignment to a key counts`() throws {
        var configuration = EffectiveConfiguration()
        try configuration.apply(text: "herald.location=1")
        try configuration.apply(text: "herald.location=2")
        #expect(configuration.values.herald.location == 2)
    }

    @Test(arguments: [
        ("herald.name=Adams Pizza", "Adams Pizza"), ("herald.name=\"Adams Pizza\"", "Adams Pizza"),
        ("herald.name='Adams'", "Adams"), ("herald.name=a=b", "a=b"), ("herald.name=", ""),
        ("herald.name=7", "7"), (#"herald.name=back\slash"#, #"back\slash"#), ("herald.name=Caffè", "Caffè"),
    ])
    func `A text may be bare or in quotes`(assignment: String, name: String) throws {
        var configuration = EffectiveConfiguration()
        try configuration.apply(text: assignment)
        #expect(String(configuration.values.herald.name) == name)
    }

    @Test(arguments: [
        ("", "not of the form SECTION.KEY=VALUE; write for example radio.scan=false"),
        ("radio.scan", "not of the form SECTION.KEY=VALUE; write for example radio.scan=false"),
        ("scan=true", "scan: not of the form SECTION.KEY=VALUE; write for example radio.scan=false"),
        ("=true", "not of the form SECTION.KEY=VALUE; write for example radio.scan=false"),
        (
            "radio.scan.x=1",
            "radio.scan: not of the form SECTION.KEY=VALUE; write for example radio.scan=false"
        ),
        ("raido.scan=true", "raido: no such section; did you mean [radio]?"),
        ("radio.advertize=true", "radio.advertize: no such key; did you mean advertise?"),
        (
            "radio.scan=maybe",
            "radio.scan: neither a number nor true or false, and not in quotes; "
                + "put texts in double quotes; write true and false in lower case"
        ),
        ("radio.scan=", "radio.scan: no value after the \"=\"; write true or false"),
        (
            "radio.scan=true\n1",
            "radio.scan: more text after the end; put one thing on a line, and \"#\" before a comment"
        ),
    ])
    func `An invalid assignment is refused`(assignment: String, expected: String) {
        #expect(message(forAssignment: assignment) == "command line: " + expected)
    }

    @Test(arguments: [Array("herald.name=".utf8) + [0xe9], [0xe9] + Array(".name=x".utf8)])
    func `Bytes that are not UTF-8 are refused`(assignment: [UInt8]) {
        var configuration = EffectiveConfiguration()
        let error = #expect(throws: ConfigurationError.self) { try configuration.apply(assignment.span) }
        #expect(error?.problem == .notUTF8)
        #expect(error?.origin == .commandLine)
    }
}
