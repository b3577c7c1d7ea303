import EncounterLog
import FixedMemory
import Replay
import TestSupport
import Testing

/// Tests captures of a host with several adapters. Coverage is the time in which any of them scanned.
@Suite struct ReplayAdaptersTests {
    private let scanOn = "0c20 0100"
    private let scanOff = "0c20 0000"
    private let reset = "030c"

    /// Makes a capture in which the first adapter scans from the beginning.
    private func scanning() -> TestCapture {
        var capture = TestCapture(isMonitors: true)
        capture.perform(scanOn)
        return capture
    }

    @Test(arguments: [1, 2, 15, 16, 17, 255, 0xfffe] as [UInt16])
    func `a reset of one adapter does not end the coverage of another`(adapter: UInt16) throws {
        var capture = scanning()
        capture.adverts(20)
        capture.adapter = adapter
        capture.perform(reset)
        capture.adapter = 0
        capture.adverts(100)
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.start) == [1_000_000])
        #expect(coverage.map(\.end) == [1_011_900])
        #expect(coverage.map(\.reports) == [120])
    }

    @Test func `An answer belongs to a command of the same adapter`() throws {
        var capture = scanning()
        capture.adverts(20)
        capture.command(scanOff)
        capture.adapter = 1
        capture.perform(scanOn)
        capture.perform(scanOff)
        capture.adapter = 0
        // The first adapter answers Command Disallowed, so it still scans.
        capture.event("0e 01 0c20 0c")
        capture.adverts(100)
        #expect(try capture.replay().coverage.map(\.end) == [1_011_900])
    }

    @Test func `Coverage lasts while any adapter scans`() throws {
        var capture = scanning()
        capture.adverts(30)
        capture.adapter = 1
        capture.perform(scanOn)
        capture.adverts(30)
        capture.adapter = 0
        capture.perform(scanOff)
        capture.adapter = 1
        capture.adverts(60)
        capture.perform(scanOff)
        capture.instant += 60_000
        capture.event("0e 01 0000")
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.start) == [1_000_000])
        #expect(coverage.map(\.end) == [1_012_000])
    }

    @Test func `A report begins the coverage of an adapter whose state is unknown`() throws {
        var capture = TestCapture(isMonitors: true)
        capture.perform(scanOff)
        capture.instant += 10_000
        capture.adapter = 1
        capture.adverts(50)
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.start) == [1_010_000])
        #expect(coverage.map(\.end) == [1_014_900])
    }

    @Test(arguments: [TestCapture.Note.goes, .isClosed])
    func `The scan of a removed or closed adapter ends`(_ note: TestCapture.Note) throws {
        var capture = scanning()
        capture.adverts(20)
        capture.instant += 500
        capture.append(note)
        capture.adapter = 1
        for _ in 0..<60 {
            capture.instant += 1_000
            capture.event("0e 01 0000")
        }
        #expect(try capture.replay().coverage.map(\.end) == [1_002_500])
    }

    @Test func `Coverage continues when one of two scanning adapters is removed`() throws {
        var capture = scanning()
        capture.adapter = 1
        capture.perform(scanOn)
        capture.append(.goes)
        capture.adapter = 0
        capture.adverts(100)
        #expect(try capture.replay().coverage.map(\.end) == [1_009_900])
    }

    @Test func `An adapter that returns is covered from its first report on`() throws {
        var capture = scanning()
        capture.adverts(20)
        capture.append(.goes)
        capture.instant += 60_000
        capture.append(.comes)
        capture.append(.isOpened)
        capture.adverts(50)
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.start) == [1_000_000, 1_062_000])
        #expect(coverage.map(\.end) == [1_002_000, 1_066_900])
    }

    @Test func `All adapters from the sixteenth on count as one`() throws {
        var capture = TestCapture(isMonitors: true)
        capture.adapter = 40
        capture.perform(scanOn)
        capture.adverts(20)
        capture.adapter = 15
        capture.perform(scanOff)
        capture.instant += 60_000
        capture.event("0e 01 0000")
        #expect(try capture.replay().coverage.map(\.end) == [1_002_000])
    }

    @Test func `A connection of an adapter is to the address in its own command`() throws {
        let (payloadDeclared, askForCharacteristics) = (
            "09 15 0200 02 0300 e733898fe34321a12948058ff8c0983e", "08 0100 ffff 0328"
        )
        var capture = TestCapture(isMonitors: true)
        capture.adverts(5)
        capture.adverts(5, address: "aabbccddeecc")
        capture.command("0d20 6000 3000 00 01 112233445566 01 1800 2800 0000 f401 0000 0000")
        capture.adapter = 1
        capture.command("0d20 6000 3000 00 01 aabbccddeecc 01 1800 2800 0000 f401 0000 0000")
        for (adapter, payload) in [(0, "3012345678"), (1, "3087654321")] as [(UInt16, String)] {
            capture.adapter = adapter
            capture.connect(address: "ffffffffffff")
            capture.ask(askForCharacteristics)
            capture.hear(payloadDeclared)
            capture.ask("0a 0300")
            capture.hear("0b" + payload)
        }
        let result = try capture.replay()
        #expect(result.identities == ["3012345678", "3087654321"])
        #expect(result.opened.count == 2)
        #expect(result.entries.compactMap(\.identified?.encounter) == result.opened.map(\.encounter))
    }
}
