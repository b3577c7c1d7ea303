import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay
import TestSupport
import Testing

/// Adverts of a capture as entries.
@Suite struct ReplayTests {
    @Test func `adverts become an encounter with its samples`() throws {
        var capture = TestCapture()
        capture.adverts(100)
        capture.instant += 60_000
        capture.event("0e 01 0000")
        let result = try capture.replay()
        #expect(result.opened.map(\.instant) == [1_000_000])
        #expect(result.samples.map { Int($0.readings) } == [80, 20])
        #expect(result.closed.map(\.readings) == [100])
        #expect(result.counters.reports == 100)
    }

    @Test func `extended reports count as reports`() throws {
        var capture = TestCapture()
        for _ in 0..<20 {
            capture.event("3e 0d 01 1300 01 112233445566 01 00 ff 7f c4 0000 00 000000000000 04 0303f6fc")
            capture.instant += 100
        }
        let result = try capture.replay()
        #expect(result.opened.count == 1)
        #expect(result.samples.map(\.minimumRSSIDBm) == [-60])
        #expect(result.counters.reports == 20)
    }

    @Test func `An Exposure Notification advert identifies its sender, if that scheme is on`()
        throws
    {
        var capture = TestCapture()
        for _ in 0..<20 {
            capture.event(
                "3e 02 01 03 01 112233445506 1f 02011a03036ffd17166ffd8be6cd371c5c891604bfbe49df84509672033874 c4"
            )
            capture.instant += 250
        }
        #expect(try capture.replay().opened.isEmpty)
        var settings = RecorderSettings()
        settings.heardHints.insert(.exposureNotification)
        let result = try capture.replay(settings)
        #expect(result.opened.map(\.foundBy) == [.exposureNotification])
        #expect(result.entries.compactMap(\.identified?.scheme.id) == [.exposureNotification])
        #expect(result.counters.reports == 20)
    }

    @Test func `each entry has its text`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b 303a03040040e20100")
        var lines: [String] = []
        for entry in try capture.replay().entries {
            var line = FixedBuffer<512>()
            try EntryText.write(entry, to: &line)
            lines.append(String(decoding: line.span.array, as: UTF8.self))
        }
        #expect(
            lines == [
                "1970-01-01 00:16:40.000  opened     #1, 66:55:44:33:22:11 (random), found by Herald's service",
                "1970-01-01 00:16:40.530  identified #1, herald 826/4/123456",
                "1970-01-01 00:16:40.000  sample     #1, 400 ms, 5 readings, -60 to -60 dBm, mean -60.0",
                "1970-01-01 00:16:40.000  coverage   until 1970-01-01 00:16:40.530, 5 reports, 0 malformed, 0 dropped, 0 evicted",
            ])
    }
}
