import Archive
import ArchiveTestSupport
import FixedMemory
import Foundation
import TestSupport
import Testing

@testable import Reports

@Suite struct TimeBinsTests {
    private static let hour: Int64 = 3_600_000
    /// 2026-10-24T00:00Z; clocks go back in the night after.
    private static let october: Int64 = 1_792_800_000_000

    private func bins(_ start: Int64, _ length: Int64, _ zone: String = "UTC") throws -> TimeBins {
        TimeBins(
            covering: TimelinePoint(milliseconds: start)...TimelinePoint(milliseconds: start + length),
            zone: TimeText(timeZone: try #require(TimeZone(identifier: zone))))
    }

    private static let units: [(hours: Int64, unit: String)] = [
        (1, "quarter of an hour"), (40, "quarter of an hour"), (41, "half hour"), (160, "hour"),
        (161, "2 hours"),
        (1_920, "12 hours"), (1_921, "day"), (24_000, "7 days"),
    ]

    @Test(arguments: units)
    func `a time has at most 168 parts`(hours: Int64, unit: String) throws {
        let bins = try bins(Self.october + 7 * Self.hour, hours * Self.hour)
        #expect(bins.unit == unit)
        #expect(bins.count <= TimeBins.maximumCount)
        #expect(bins.edges[0] <= Self.october + 7 * Self.hour)
        #expect(bins.edges[bins.count] >= Self.october + (7 + hours) * Self.hour)
    }

    @Test func `hours and days are those of local time, also when clocks go back`() throws {
        let days = try bins(Self.october, 24 * 100 * Self.hour, "Europe/London")
        let lengths = Set((0..<days.count).map { days.length($0).milliseconds / UInt64(Self.hour) })
        #expect(days.unit == "day" && lengths == [24, 25])
        let hours = try bins(Self.october, 48 * Self.hour, "Europe/London")
        #expect(zip(hours.edges, hours.edges.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `each moment lies in the part that its index names`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let length = Int64.random(in: 0...1 << Int64.random(in: 4...46, using: &generator), using: &generator)
        let bins = try bins(
            Int64.random(in: 0...4_000_000_000_000, using: &generator), length, "Europe/London")
        for _ in 0..<100 {
            let moment = Int64.random(in: bins.edges[0]..<bins.edges[bins.count], using: &generator)
            let index = bins.index(of: moment)
            #expect(bins.edges[index] <= moment && moment < bins.edges[index + 1], "seed \(seed)")
        }
        var total = Interval.zero
        bins.forEachPart(of: bins.range) { total = total + $1 }
        #expect(total == bins.range.length, "seed \(seed)")
    }
}
