import TestSupport
import Testing

@testable import Configuration

/// Tests the message that the user sees for every possible error in a file.
@Suite struct ErrorMessageTests {
    @Test(arguments: [
        ("\u{FEFF}[agent]\n", "f:1: the file begins with a byte order mark; save the file as plain UTF-8"),
        ("[agent]\n# \u{7}\n", "f:2: a control character; only tabs and line ends are allowed"),
        ("[agent]\rrole", "f:1: a control character; only tabs and line ends are allowed"),
        ("[agent\n", "f:1: agent: not a section header; write [section] on a line of its own"),
        ("[]\n", "f:1: not a section header; write [section] on a line of its own"),
        ("[[agent]]\n", "f:1: not a section header; write [section] on a line of its own"),
        ("[agent.role]\n", "f:1: agent: not a section header; write [section] on a line of its own"),
        ("\n[raido]\n", "f:2: raido: no such section; did you mean [radio]?"),
        (
            "[bluetooth]\n",
            "f:1: bluetooth: no such section; the sections are [agent] [radio] [herald] [schemes] [encounters] [log] [keys] [sync] [snoop]"
        ),
        ("[log]\n[sync]\n[log]\n", "f:3: log: the section occurs twice; put all its keys in one section"),
        (
            "[log] size_mebibytes = 2\n",
            "f:1: log: more text after the end; put one thing on a line, and \"#\" before a comment"
        ),
        ("[log]\n= 3\n", "f:2: neither a section nor a key; write [section] or key = value"),
        ("[log]\n\n: 3\n", "f:3: neither a section nor a key; write [section] or key = value"),
        (
            "radio.scan = true\n",
            "f:1: radio: keys with dots are not supported; write the [section] on a line of its own and key = value below it"
        ),
        (
            "scan = true\n",
            "f:1: scan: a key before the first section; write its [section] on a line above it"
        ),
        ("[radio]\nscna = true\n", "f:2: radio.scna: no such key; did you mean scan?"),
        (
            "[radio]\ngap_seconds = 3\n",
            "f:2: radio.gap_seconds: no such key; did you mean gap_seconds under [encounters]?"
        ),
        ("[encounters]\ngap = 3\n", "f:2: encounters.gap: no such key; did you mean gap_seconds?"),
        ("[sync]\nxyzzy = 3\n", "f:2: sync.xyzzy: no such key; the keys are port baud"),
        ("[sync]\n\"a\u{1F355}b\" = 3\n", "f:2: sync.a????b: no such key; the keys are port baud"),
        (
            "[radio]\nscan = true\n\nscan = true\n",
            "f:4: radio.scan: set twice, first on line 2; remove one of the two"
        ),
        ("[radio]\nscan true\n", "f:2: radio.scan: no \"=\" after the key; write key = value"),
        ("[radio]\nscan = # yes\n", "f:2: radio.scan: no value after the \"=\"; write true or false"),
        (
            "[radio]\nscan = [true]\n",
            "f:2: radio.scan: not a supported kind of value; write a text on one line, a whole number, true or false"
        ),
        (
            "[herald]\nlocation = 1.5\n",
            "f:2: herald.location: not a supported kind of value; write a text on one line, a whole number, true or false"
        ),
        (
            "[herald]\nname = \"\"\"\nAdams\n\"\"\"\n",
            "f:2: herald.name: not a supported kind of value; write a text on one line, a whole number, true or false"
        ),
        (
            "[radio]\nscan = True\n",
            """
            f:2: radio.scan: neither a number nor true or false, and not in quotes; \
            put texts in double quotes; write true and false in lower case
            """
        ),
        (
            "[radio]\nhci = hci0\n",
            """
            f:2: radio.hci: neither a number nor true or false, and not in quotes; \
            put texts in double quotes; write true and false in lower case
            """
        ),
        (
            "[herald]\nname = \"Adams\nlocation = 1\n",
            "f:2: herald.name: the text has no closing quote on its line; close it with the same quote"
        ),
        (
            #"[herald]\#nname = "C:\data""#,
            "f:2: herald.name: a backslash that begins no escape; write \\\\ for a backslash, or put the text in single quotes"
        ),
        (
            #"[herald]\#nname = "\ud800""#,
            "f:2: herald.name: a backslash that begins no escape; write \\\\ for a backslash, or put the text in single quotes"
        ),
        (
            "[herald]\nlocation = 0123\n",
            """
            f:2: herald.location: not a number in plain decimal digits; \
            write digits without leading zeros, with an optional sign
            """
        ),
        (
            "[herald]\nlocation = 1 2\n",
            "f:2: herald.location: more text after the end; put one thing on a line, and \"#\" before a comment"
        ),
    ])
    func `A file with invalid syntax is refused`(file: String, expected: String) {
        #expect(message(for: file) == expected)
    }

    @Test func `Bytes that are not UTF-8 are refused`() {
        let file = Array("[herald]\nname = \"Caf".utf8) + [0xe9, 0x22, 0x0a]
        var configuration = EffectiveConfiguration()
        let error = #expect(throws: ConfigurationError.self) { try configuration.read(file.span) }
        #expect(error?.message == "f:2: not UTF-8; write it in UTF-8")
    }

    @Test(arguments: [[0xff, 0xfe, 0x5b, 0x00], [0xfe, 0xff, 0x00, 0x5b]] as [[UInt8]])
    func `UTF-16 is refused`(file: [UInt8]) {
        var configuration = EffectiveConfiguration()
        let error = #expect(throws: ConfigurationError.self) { try configuration.read(file.span) }
        #expect(error?.problem == .byteOrderMark)
    }

    @Test(arguments: [
        ("agent.role=\"phone\"", "no such role; write \"beacon\" or \"wearable\""),
        ("agent.role=7", "no such role; write \"beacon\" or \"wearable\""),
        (
            "agent.position=51.5",
            """
            not a latitude from -90 to 90 and a longitude from -180 to 180; \
            write for example "51.507351, -0.127758", with six decimals at most, or ""
            """
        ),
        (
            "radio.hci=usb0",
            """
            unknown kind of transport; write hciN, hci:usb, hci:uart, hci@ADDRESS, unix:PATH, \
            unix-seqpacket:PATH, tcp-client:ADDRESS:PORT, serial:DEVICE,BAUD or serial:DEVICE,BAUD,rtscts
            """
        ),
        (
            "radio.address=00:11:22",
            """
            not a Bluetooth address; write six pairs of hexadecimal digits of which the first is C0 to FF, "public" \
            or ""
            """
        ),
        (
            "radio.address=7F:11:22:33:44:55",
            """
            not a static random address: its two highest bits are not set; write six pairs of hexadecimal digits of \
            which the first is C0 to FF, "public" or ""
            """
        ),
        (
            "radio.address=FF:FF:FF:FF:FF:FF",
            """
            not a valid address: all the bits after the first two are the same; write six pairs of hexadecimal \
            digits of which the first is C0 to FF, "public" or ""
            """
        ),
        (
            "herald.url=http://example.org",
            """
            does not begin with https://; write an address that begins with https://, or ""; \
            the four texts share 501 bytes
            """
        ),
        (
            "herald.secret=",
            "the path is empty; write the path of a file in a directory that exists"
        ),
        ("herald.name=\"a\\nb\"", "a control character in the text; remove it"),
        ("herald.name=\"a\\u0000\"", "a control character in the text; remove it"),
        ("herald.name=a\u{1}", "a control character in the text; remove it"),
        ("herald.name=a\u{0}", "a control character in the text; remove it"),
        (
            "log.path=",
            "the path is empty; write the path of a file in a directory that exists, or of a device"
        ),
        (
            "sync.baud=12345",
            """
            12345 bit/s is not a serial port speed; \
            write a serial port speed, such as 115200 or 921600
            """
        ),
        (
            "sync.port=ttyGS0",
            """
            not the path of a device or pty:LINK; \
            write the path of a serial device such as "/dev/ttyGS0", "pty:LINK", or ""
            """
        ),
        (
            "herald.location=99999999999999999999",
            """
            the number is far out of range (0 to 4294967295); write the number under which the venue is registered
            """
        ),
        (
            "herald.location=123 456",
            "more text after the end; put one thing on a line, and \"#\" before a comment"
        ),
    ])
    func `A value that is invalid for its key is refused`(assignment: String, expected: String) {
        let key = assignment.prefix { $0 != "=" }
        #expect(message(forAssignment: assignment) == "command line: \(key): \(expected)")
    }

    @Test(arguments: ConfigurationKey.allKeys)
    func `Every key refuses values of other types`(key: ConfigurationKey) {
        let values: [(ConfigurationValueType, String)] = [
            (.integer, "1"), (.boolean, "true"), (.text, "\"x\""),
        ]
        let needed = key.definition.kind.valueType
        for (type, toml) in values where type != needed {
            #expect(
                message(for: "[\(key.section.name)]\n\(key.name) = \(toml)\n")
                    == "f:2: \(key.fullName): needs \(needed.phrase), not \(type.phrase); \(key.definition.remedy)"
            )
        }
    }

    static let integerKeys = ConfigurationKey.allKeys.filter {
        if case .integer = $0.definition.kind { true } else { false }
    }

    @Test(arguments: integerKeys)
    func `Every number accepts its whole range and nothing beyond`(key: ConfigurationKey) throws {
        guard case .integer(let minimum, let maximum) = key.definition.kind else { return }
        for number in [minimum, maximum] {
            var configuration = EffectiveConfiguration()
            try configuration.read(text: "[\(key.section.name)]\n\(key.name) = \(number)\n")
            #expect(configuration.values.value(of: key) == .integer(number))
        }
        for number in [minimum - 1, maximum + 1, .max, -.max] {
            let expected = """
                f:2: \(key.fullName): \(number) is not from \(minimum) to \(maximum); \(key.definition.remedy)
                """
            let huge = "the number is far out of range (\(minimum) to \(maximum))"
            let text = message(for: "[\(key.section.name)]\n\(key.name) = \(number)\n")
            #expect(text == expected || number.magnitude == .init(Int64.max) && text?.contains(huge) == true)
        }
    }

    static let textKeys = ConfigurationKey.allKeys.filter { $0.definition.kind.valueType == .text }

    @Test(arguments: textKeys)
    func `Every text refuses more than 255 bytes`(key: ConfigurationKey) {
        // The letter takes two bytes, because the limit counts bytes.
        let long = String(repeating: "é", count: 128)
        let expected = """
            \(key.fullName): the text has 256 bytes in UTF-8, more than 255; \(key.definition.remedy)
            """
        #expect(message(for: "[\(key.section.name)]\n\(key.name) = \"\(long)\"\n") == "f:2: " + expected)
        #expect(message(forAssignment: "\(key.fullName)=\(long)") == "command line: " + expected)
    }

    @Test(arguments: ConfigurationKey.allKeys)
    func `Every message fits its buffer and is one line`(key: ConfigurationKey) {
        for toml in ["1", "\"\"", "\"x\"", "x", "'", "false", "-1", "99999999999999999999", "{", "1 1"] {
            guard let text = message(for: "[\(key.section.name)]\n\(key.name) = \(toml)\n") else { continue }
            #expect(text.utf8.count <= ConfigurationError.maximumLineByteCount - 255)
            #expect(!text.contains("\n"))
            #expect(text.hasPrefix("f:2: ") || text.hasPrefix("f: "))
            #expect(text.contains("; "))
        }
    }
}
