import Archive
import ArchiveTestSupport
import FixedMemory
import Reports
import Testing

@Suite struct ReadingDocumentTests {
    @Test func `HP-C27, HP-C28: one row for each RSSI reading, with the transmit power of its sample`() throws
    {
        var encounter = try #require(SampleWorld.model().encounters.first { $0.isOnWallClock })
        let start = encounter.start
        encounter.samples = [(0, 900, 8), (1_000, 1_900, -4)].map { from, to, power in
            Sample(
                start: start + .milliseconds(from), end: start + .milliseconds(to), readingCount: 2,
                minimumDBm: -60, maximumDBm: -60, meanDBm: -60, txPowerDBm: power)
        }
        encounter.readings = [0, 900, 1_000, 1_900].map {
            Reading(time: start + .milliseconds($0), error: 40, rssiDBm: -60 - Int($0) / 100)
        }
        let rows = ReadingDocument.csv([encounter]).split(separator: "\r\n")
        #expect(rows.first.map(String.init) == ReadingDocument.columns.joined(separator: ","))
        let ends = rows.dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).suffix(3)
        }
        #expect(
            ends.map { $0.map(String.init) } == [
                ["-60", "8", "0.04"], ["-69", "8", "0.04"], ["-70", "-4", "0.04"], ["-79", "-4", "0.04"],
            ])
        #expect(Set(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }) == [9])
    }
}
