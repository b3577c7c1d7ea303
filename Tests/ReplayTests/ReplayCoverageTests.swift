import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay
import TestSupport
import Testing

/// Coverage that a capture proves.
@Suite struct ReplayCoverageTests {
    @Test func `coverage is the time of scanning, and each report counts once`() throws {
        var capture = TestCapture()
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(20)
        capture.command("0c20 0000")
        capture.event("0e 01 0c20 00")
        capture.instant += 10_000
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(10)
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.start) == [1_000_000, 1_012_000])
        #expect(coverage.map(\.end) == [1_002_000, 1_012_900])
        #expect(coverage.map(\.reports) == [20, 10])
    }

    @Test func `a silence without evidence of scanning is not covered`() throws {
        var capture = TestCapture()
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(20)
        capture.instant += 3_600_000
        capture.adverts(10)
        let coverage = try capture.replay().coverage
        #expect(coverage.map(\.start) == [1_000_000, 4_602_000])
        #expect(coverage.map(\.end) == [1_001_900, 4_602_900])
        #expect(coverage.map(\.reports) == [20, 10])
    }

    @Test func `a late report does not begin a scan`() throws {
        var capture = TestCapture()
        capture.command("0c20 0100")
        capture.event("0e 01 0c20 00")
        capture.adverts(20)
        capture.command("0c20 0000")
        capture.event("0e 01 0c20 00")
        capture.adverts(1)
        capture.instant += 60_000
        capture.event("0e 01 0000")
        #expect(try capture.replay().coverage.map(\.end) == [1_002_000])
    }
}
