import TestSupport
import Testing

@testable import Configuration

/// Tests of values that are valid individually but contradict each other.
@Suite struct ValidationTests {
    /// A wearable needs no location; a beacon does.
    static let wearable = "[agent]\nrole = \"wearable\"\n"

    @Test(arguments: [
        (
            "[agent]\nrole = \"beacon\"\n",
            """
            f: herald.location: a beacon needs a location; \
            set it to the registered number of the venue, or sync.port to set it later
            """
        ),
        (
            wearable + "[radio]\nscan = false\nadvertise = false\n",
            """
            f:5: radio.advertise: neither scan nor advertise is on, so the agent would do nothing; \
            set radio.scan or radio.advertise to true
            """
        ),
        (
            wearable + "[radio]\nscan_window_milliseconds = 61\n",
            """
            f:4: radio.scan_window_milliseconds: longer than scan_interval_milliseconds; \
            lower it, or raise the interval
            """
        ),
        (
            wearable + "[radio]\nduty = \"saver\"\nscan_window_milliseconds = 30\n",
            """
            f:5: radio.scan_window_milliseconds: radio.duty is balanced or saver, \
            which have a scan interval and window; remove it, or set radio.duty to custom
            """
        ),
        (
            wearable + "[radio]\nquiet_scan_window_milliseconds = 20\n",
            """
            f:4: radio.quiet_scan_window_milliseconds: radio.duty is not custom, so this would not be used; \
            remove it, or set radio.duty to custom
            """
        ),
        (
            wearable + "[radio]\nduty = \"custom\"\nquiet_scan_window_milliseconds = 601\n",
            """
            f:5: radio.quiet_scan_window_milliseconds: longer than quiet_scan_interval_milliseconds; \
            lower it, or raise the interval
            """
        ),
        (
            wearable + "[radio]\nduty = \"lazy\"\n",
            """
            f:4: radio.duty: no such duty; write "continuous", "balanced", "saver" or "custom"
            """
        ),
        (
            wearable + "[encounters]\ngap_seconds = 7\n",
            """
            f: encounters.sample_seconds: longer than gap_seconds, so a sample could span two encounters; \
            lower it, or raise the gap
            """
        ),
        (
            wearable + "[log]\nloss_window_seconds = 7\n",
            """
            f:4: log.loss_window_seconds: shorter than sample_seconds, but a power cut loses the current sample; \
            raise it, or lower sample_seconds
            """
        ),
        (
            wearable + "[radio]\nhci = \"serial:/dev/ttyS0,115200\"\n[sync]\nport = \"/dev/ttyS0\"\n",
            "f:6: sync.port: the serial device of the controller in radio.hci; use a different device for each"
        ),
        (
            wearable + "[log]\npath = \"/a\"\n[snoop]\nfile = \"/a\"\n",
            "f:6: snoop.file: the same file as log.path; use a different file for each"
        ),
        (
            wearable + "[radio]\naddress = \"C0:12:34:56:78:9A\"\n",
            "f:4: radio.address: a wearable's address changes with its identity; remove it"
        ),
        (
            wearable + "[herald]\nclient_id = 1\n",
            "f:4: herald.client_id: a wearable's identity changes; remove it"
        ),
        (
            "[herald]\nlocation = 1\nclient_id = 1\n",
            """
            f:3: herald.client_id: a fixed payload cannot have a location or texts of a venue; \
            remove client_id, or the venue keys
            """
        ),
        (
            "[herald]\nclient_id = 1\narea = \"Bar\"\n",
            """
            f:2: herald.client_id: a fixed payload cannot have a location or texts of a venue; \
            remove client_id, or the venue keys
            """
        ),
        (
            "[agent]\nrole = \"wearable\"\nposition = \"51.5, 0\"\n",
            "f:3: agent.position: a wearable has no fixed position; remove it"
        ),
        (
            wearable + "[schemes]\nsonar = \"on\"\nsonar_period_minutes = 7\n",
            """
            f:5: schemes.sonar_period_minutes: all identities of a wearable change together, Herald's every 6 minutes; \
            write a multiple of 6
            """
        ),
        (
            wearable + "[schemes]\nble_proximity = \"on\"\nble_proximity_period_minutes = 20\n",
            """
            f:5: schemes.ble_proximity_period_minutes: all identities of a wearable change together, Herald's every 6 minutes; \
            write a multiple of 6
            """
        ),
        (
            wearable + "[herald]\nsecret = \"/a\"\n[log]\npath = \"/a\"\n",
            "f:4: herald.secret: the same file as log.path or snoop.file; use a different file for each"
        ),
        (
            wearable + "[herald]\nsecret = \"/a\"\n[snoop]\nfile = \"/a\"\n",
            "f:4: herald.secret: the same file as log.path or snoop.file; use a different file for each"
        ),
    ])
    func `Contradictory settings are refused`(file: String, expected: String) {
        #expect(message(for: file) == expected)
    }

    @Test func `The four texts share 501 bytes`() {
        func file(_ nameByteCount: Int) -> String {
            let text = String(repeating: "x", count: 200)
            let name = String(repeating: "x", count: nameByteCount)
            return Self.wearable
                + "[herald]\nname = \"\(name)\"\narea = \"\(text)\"\ndisambiguation = \"\(text)\"\n"
        }
        // The payload has 3 sections, each of 2 bytes and its text.
        #expect(message(for: file(501 - 2 * 200 - 3 * 2)) == nil)
        #expect(
            message(for: file(501 - 2 * 200 - 3 * 2 + 1))
                == """
                f:4: herald.name: name, area, disambiguation and url together need 502 bytes of the payload, \
                more than 501; shorten the longest
                """)
    }

    /// The test repeats Herald's numbers instead of reading them from the table.
    @Test
    func `HP-C33, HP-O09: an encounter timeout above 30 s is refused in a file and on the command line`() {
        func file(_ seconds: Int) -> String { Self.wearable + "[encounters]\ngap_seconds = \(seconds)\n" }
        let refusal = """
            encounters.gap_seconds: 31 is not from 1 to 30; \
            write whole seconds; Herald allows at most 30
            """
        #expect(message(for: file(30)) == nil)
        #expect(message(for: file(31)) == "f:4: " + refusal)
        #expect(message(forAssignment: "encounters.gap_seconds=30") == nil)
        #expect(message(forAssignment: "encounters.gap_seconds=31") == "command line: " + refusal)
    }

    @Test func `Scanning or advertising alone is enough`() {
        #expect(message(for: Self.wearable + "[radio]\nscan = false\n") == nil)
        #expect(message(for: Self.wearable + "[radio]\nadvertise = false\n") == nil)
    }

    @Test func `An error in a setting of the command line names the command line`() throws {
        var configuration = EffectiveConfiguration()
        try configuration.apply(text: "radio.scan_window_milliseconds=100")
        let error = #expect(throws: ConfigurationError.self) { try configuration.validate() }
        #expect(error?.origin == .commandLine)
    }
}
