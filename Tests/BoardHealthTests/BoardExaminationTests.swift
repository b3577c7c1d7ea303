import BoardHealth
import Configuration
import DeviceSync
import FixedMemory
import Foundation
import Testing

/// The findings of `tabardctl doctor` about a board's status, with the commands that they name.
@Suite struct BoardExaminationTests {
    private static let now = WallClockTime(milliseconds: 1_790_000_000_000)

    /// A board without a fault: set up, up, with the right time and an encrypted log.
    private static var well: BoardStatus {
        var status = BoardStatus()
        status.radioState = .up
        status.wallClock = now
        status.isSealed = true
        status.takesPages = true
        status.segmentCount = 3
        return status
    }

    private static let names = BoardExamination.Names(port: "/dev/ttyACM0", board: "2cb187eb")

    private func findings(
        _ status: BoardStatus, _ configuration: AgentConfiguration? = AgentConfiguration(),
        standing: BoardExamination.Standing = .trusted(fetched: now), now: WallClockTime? = now
    ) -> [Finding] {
        BoardExamination(
            Self.names, status: status, keys: nil, configuration: configuration,
            standing: standing, now: now
        ).findings.filter { $0.level != .ok && $0.subject != "keys" }
    }

    @Test func `a board that is well has no finding`() {
        #expect(findings(Self.well).isEmpty)
    }

    /// A change of a board that is well, and the finding that it brings.
    struct Case: Sendable {
        let change: @Sendable (inout BoardStatus) -> Void
        let level: Finding.Level
        let subject: String
        var run: String?
    }

    static let cases = [
        Case(
            change: { $0.radioState = .unused }, level: .fault, subject: "place",
            run: "tabardctl setup /dev/ttyACM0"),
        Case(change: { $0.radioState = .recovering }, level: .fault, subject: "radio"),
        Case(change: { $0.radioState = .lost }, level: .fault, subject: "radio"),
        Case(change: { $0.radioState = nil }, level: .unknown, subject: "radio"),
        Case(
            change: { $0.identityState = .keyMissing }, level: .fault, subject: "identity"),
        Case(change: { $0.duplicateIdentityCount = 1 }, level: .fault, subject: "identity"),
        Case(
            change: { $0.wallClock = nil }, level: .warning, subject: "clock",
            run: "tabardctl sync /dev/ttyACM0"),
        Case(
            change: { $0.wallClock = now - .seconds(60) }, level: .warning, subject: "clock",
            run: "tabardctl sync /dev/ttyACM0"),
        Case(change: { $0.takesPages = false }, level: .fault, subject: "medium"),
        Case(change: { $0.flashFailureCount = 2 }, level: .warning, subject: "medium"),
        Case(change: { $0.droppedEntryCount = 2 }, level: .fault, subject: "medium"),
        Case(
            change: { $0.lostSegmentCount = 1 }, level: .warning, subject: "log",
            run: "tabardctl sync /dev/ttyACM0"),
        Case(
            change: { $0.isSealed = false }, level: .warning, subject: "log",
            run: "tabardctl setup /dev/ttyACM0"),
        Case(change: { $0.turnedAwayCount = 5 }, level: .warning, subject: "crowd"),
    ]

    @Test(arguments: cases) func `each fault is found alone, with what mends it`(_ example: Case) {
        var status = Self.well
        example.change(&status)
        let found = findings(status)
        #expect(found.map(\.level) == [example.level])
        #expect(found.map(\.subject) == [example.subject])
        switch found.first?.remedy {
        case .run(let command): #expect(command == example.run)
        case .advice, nil: #expect(example.run == nil)
        }
    }

    @Test func `counts that are as large as they can be are added`() {
        var status = Self.well
        (status.evictedPeerCount, status.turnedAwayCount) = (.max, .max)
        #expect(
            findings(status).map(\.text) == [
                "the peer table was full, and 8589934590 devices or reports found no room"
            ])
    }

    @Test func `a wearable without the time is a fault, because it has no identity`() {
        var configuration = AgentConfiguration()
        configuration.agent.role = .wearable
        var status = Self.well
        status.wallClock = nil
        status.identityState = .timeUnknown
        #expect(findings(status, configuration).map(\.level) == [.fault])
    }

    @Test func `roles that are off are named with the command that switches them on`() {
        var configuration = AgentConfiguration()
        configuration.radio.scan = false
        #expect(
            findings(Self.well, configuration).map(\.remedy)
                == [.run("tabardctl config /dev/ttyACM0 set radio.scan=true")])
        configuration = AgentConfiguration()
        configuration.radio.advertise = false
        #expect(
            findings(Self.well, configuration).map(\.remedy)
                == [.run("tabardctl config /dev/ttyACM0 set radio.advertise=true")])
    }

    @Test(
        arguments: [
            (.absent, "tabardctl sync /dev/ttyACM0"), (.untrusted, "tabardctl trust 2cb187eb"),
            (.trusted(fetched: nil), "tabardctl sync /dev/ttyACM0"),
            (.trusted(fetched: now - .days(8)), "tabardctl sync /dev/ttyACM0"),
        ] as [(BoardExamination.Standing, String)])
    func `a log that the archive lacks is a warning`(_ standing: BoardExamination.Standing, _ command: String)
    {
        let found = findings(Self.well, standing: standing)
        #expect(found.map(\.level) == [.warning])
        #expect(found.map(\.remedy) == [.run(command)])
    }

    @Test func `a log that was fetched six days ago is well, and one of eight days names the erasure`() {
        #expect(findings(Self.well, standing: .trusted(fetched: Self.now - .days(6))).isEmpty)
        let found = findings(Self.well, standing: .trusted(fetched: Self.now - .days(8)))
        #expect(
            found.map(\.text) == ["the log was last fetched 8 days ago, and the board erases it after 28"])
    }

    @Test func `commands name the archive and the speed that the doctor was given`() {
        var names = Self.names
        names.portOptions = " --baud 9600"
        names.archiveOptions = " --archive '/srv/my archive.sqlite'"
        let examination = BoardExamination(
            names, status: Self.well, keys: nil, configuration: nil, standing: .absent, now: Self.now)
        #expect(
            examination.findings.last?.remedy
                == .run("tabardctl sync /dev/ttyACM0 --baud 9600 --archive '/srv/my archive.sqlite'"))
    }

    @Test func `without a clock of this computer nothing is said of the board's`() {
        #expect(findings(Self.well, now: nil).map(\.level) == [.unknown])
    }

    @Test func `a finding is an object with run or advice`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let finding = Finding(.fault, "radio", "lost", .run("tabardctl sync /dev/x"))
        #expect(
            String(decoding: try encoder.encode(finding), as: UTF8.self)
                == #"{"finding":"lost","level":"fault","run":"tabardctl sync /dev/x","subject":"radio"}"#)
        let good = Finding(.ok, "radio", "up")
        #expect(
            String(decoding: try encoder.encode(good), as: UTF8.self)
                == #"{"finding":"up","level":"ok","subject":"radio"}"#)
    }
}
