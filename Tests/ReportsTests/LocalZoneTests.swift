import FixedMemory
import Foundation
import Testing

@testable import Reports

/// Local times around the hours in which clocks go forward and back: in London on 2026-03-29 and 2026-10-25
/// at 01:00 UTC.
@Suite struct LocalZoneTests {
    private let zone: LocalZone
    private let now: WallClockTime = 1_795_262_400_000
    /// 2026-10-25T01:00:00Z
    private let back: WallClockTime = 1_792_890_000_000

    init() throws { zone = LocalZone(try #require(TimeZone(identifier: "Europe/London"))) }

    private func reading(_ text: String) -> TimeArgument.Reading {
        TimeArgument.reading(text, now: now, zone: zone)
    }

    @Test func `a time with another offset than the zone's name has it behind it`() {
        let time = TimeText(zone: zone, reference: back)
        #expect(time.zoneName == "Europe/London (UTC+00:00)")
        #expect(time.dateAndTime(back) == "2026-10-25 01:00:00")
        #expect(time.dateAndTime(back - .seconds(1)) == "2026-10-25 01:59:59 +01:00")
        #expect(time.dateTimeAndZone(back - .seconds(1)) == "2026-10-25 01:59:59 Europe/London (UTC+01:00)")
    }

    @Test func `a time that clocks show twice is the first, and said to be`() {
        #expect(reading("2026-10-25 01:30") == .twice(back - .minutes(30), offset: "+01:00"))
        #expect(reading("2026-10-25T01:30Z") == .exact(back + .minutes(30)))
        #expect(reading("2026-10-25 02:00") == .exact(back + .hours(1)))
    }

    @Test func `a time that clocks never show is none`() {
        #expect(reading("2026-03-29 01:30") == .never)
        #expect(reading("2026-03-29 02:00").time != nil)
    }

    @Test func `days of 23 and 25 hours begin at midnight`() {
        let time = TimeText(zone: zone, reference: back)
        let start = time.startOfDay(back)
        #expect(time.dateAndTime(start) == "2026-10-25 00:00:00 +01:00")
        #expect(time.startOfDay(back, adding: 1) - start == .hours(25))
        let spring: WallClockTime = 1_774_746_000_000
        #expect(time.startOfDay(spring, adding: 1) - time.startOfDay(spring) == .hours(23))
    }

    /// In Beirut clocks go forward at midnight.
    @Test func `a day without a midnight begins an hour later`() throws {
        let beirut = LocalZone(try #require(TimeZone(identifier: "Asia/Beirut")))
        let noon = try #require(TimeArgument.time("2026-03-29 12:00", now: now, zone: beirut))
        let time = TimeText(zone: beirut, reference: noon)
        #expect(time.dateAndTime(time.startOfDay(noon)) == "2026-03-29 01:00:00")
    }
}
