import FixedMemory
import TestSupport
import Testing

@Suite struct CalendarDateTests {
    @Test(
        arguments: [
            (0, "1970-01-01"), (58, "1970-02-28"), (59, "1970-03-01"), (789, "1972-02-29"),
            (18_529, "2020-09-24"), (20_454, "2026-01-01"), (22_454, "2031-06-24"), (47_540, "2100-02-28"),
            (47_541, "2100-03-01"), (2_932_896, "9999-12-31"), (.max, "9999-12-31"),
        ] as [(UInt32, String)])
    func `days are counted from 1970`(days: UInt32, text: String) throws {
        let date = CalendarDate(daysSince1970: days)
        var written = FixedBuffer<10>()
        try written.append(date)
        #expect(String(decoding: written.span.indices.map { written[$0] }, as: UTF8.self) == text)
        #expect(date.daysSince1970 == min(days, 2_932_896))
        #expect(CalendarDate(year: date.year, month: date.month, day: date.day) == date)
    }

    @Test func `every day of five centuries converts there and back`() {
        for days in 0..<182_622 as Range<UInt32> {
            guard CalendarDate(daysSince1970: days).daysSince1970 == days else {
                Issue.record("day \(days)")
                return
            }
        }
    }

    @Test(
        arguments: [
            (1969, 12, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 2, 29),
            (2100, 2, 29), (2026, 4, 31), (10_000, 1, 1),
        ])
    func `days that do not exist are refused`(year: Int, month: Int, day: Int) {
        #expect(CalendarDate(year: year, month: month, day: day) == nil)
    }
}
