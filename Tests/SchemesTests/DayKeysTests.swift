import Cryptography
import FixedMemory
import TestSupport
import Testing

@testable import Schemes

@Suite struct DayKeysTests {
    private static let day: UInt32 = 20_779

    private func keys(_ count: Int, from day: UInt32 = day, seed: UInt8 = 0) -> DayKeys {
        var keys = DayKeys(.herald, firstDay: day, dayCount: count)
        for index in 0..<count {
            keys.set([UInt8](repeating: seed &+ UInt8(index + 1), count: 32).span, at: index)
        }
        return keys
    }

    private func key(_ value: UInt8) -> Bytes<32>? { Bytes([UInt8](repeating: value, count: 32).span) }

    @Test(arguments: [0, 1, 28, 56]) func `a record is read as it was written`(count: Int) throws {
        var keys = keys(count)
        keys.isRootInClear = count == 28
        let record = keys.record
        #expect(record.count == 21 + 32 * count)
        #expect(try DayKeys(record: record.span) == keys)
    }

    @Test func `a record has the layout of docs/keys.md`() {
        let record = keys(1).record.span.array
        let documented = "544142415244444b 01 01 00 0000512b 0001".filter { $0 != " " }
        #expect(Array(record.prefix(17)).hex == documented)
        #expect(Array(record[17..<49]) == [UInt8](repeating: 1, count: 32))
    }

    @Test func `no byte of a record can be changed, removed or added`() {
        let good = keys(2).record.span.array
        for index in good.indices {
            var changed = good
            changed[index] ^= 1
            let expected: DayKeyRecordError =
                index < 8 ? .foreign : index == 8 ? .unknownVersion(0) : .damaged
            #expect(throws: expected) { try DayKeys(record: changed.span) }
        }
        for other in [Array(good.dropLast()), good + [0], Array(good.prefix(20))] {
            #expect(throws: DayKeyRecordError.damaged) { try DayKeys(record: other.span) }
        }
        #expect(throws: DayKeyRecordError.foreign) { try DayKeys(record: [UInt8]().span) }
    }

    @Test func `dropping a past day leaves no byte of its key`() {
        var keys = keys(3)
        #expect(keys.key(of: Self.day) == key(1))
        #expect(keys.key(of: Self.day + 2) == key(3))
        #expect(keys.key(of: Self.day - 1) == nil)
        #expect(keys.key(of: Self.day + 3) == nil)
        let nothing = keys.drop(before: Self.day)
        #expect(!nothing)
        let dropped = keys.drop(before: Self.day + 1)
        #expect(dropped)
        #expect(keys.firstDay == Self.day + 1)
        #expect(keys.daysLeft(from: Self.day + 1) == 2)
        #expect(keys.key(of: Self.day + 1) == key(2))
        #expect(!keys.bytes.span.array.contains(1))
        let all = keys.drop(before: Self.day + 400)
        #expect(all)
        #expect(keys.isEmpty)
        #expect(keys.bytes == Bytes())
    }

    @Test func `new keys replace old ones from their first day on`() {
        let old = keys(10)
        let new = keys(28, from: Self.day + 4, seed: 100)
        let both = old.followed(by: new)
        #expect(both.firstDay == Self.day)
        #expect(both.dayCount == 32)
        #expect(both.key(of: Self.day + 3) == key(4))
        #expect(both.key(of: Self.day + 4) == key(101))
        #expect(both.key(of: Self.day + 31) == key(128))
        // New keys from the day after the last old one.
        #expect(old.followed(by: keys(28, from: Self.day + 10)).dayCount == 38)
        // A missing day, too many days, or an earlier first day: only the new keys remain.
        for other in [
            keys(28, from: Self.day + 11), keys(56, from: Self.day + 1), keys(2, from: Self.day - 1),
        ] {
            #expect(old.followed(by: other) == other)
        }
    }

    @Test(arguments: [50, 256, 5_000]) func `Herald's keys are its matching keys, in steps`(limit: Int) throws
    {
        let schedule = HeraldKeySchedule(
            secret: [UInt8](repeating: 0, count: 2_048).span, epochDay: 18_529)
        let first: UInt32 = 18_529 + 3
        var job = try DayKeysJob(schedule, firstDay: first, dayCount: 28)
        var (steps, made) = (0, DayKeys?.none)
        while made == nil {
            made = job.advance(hashLimit: limit)
            steps += 1
        }
        #expect(steps == (2_000 - 3 - 27 + limit - 1) / limit)
        let keys = try #require(made)
        #expect(keys.dayCount == 28)
        for day in first..<first + 28 {
            #expect(try keys.key(of: day) == schedule.matchingKey(ofDay: day).key)
        }
    }

    @Test func `a schedule has fewer keys near its end, and none outside its days`() throws {
        let schedule = HeraldKeySchedule(root: Bytes(), firstDay: 20_000)
        var job = try DayKeysJob(schedule, firstDay: 21_999, dayCount: 28)
        let made = job.advance(hashLimit: .max)
        let keys = try #require(made)
        #expect(keys.dayCount == 2)
        #expect(try keys.key(of: 22_000) == schedule.matchingKey(ofDay: 22_000).key)
        #expect(throws: HeraldScheduleError.over) {
            try DayKeysJob(schedule, firstDay: 22_001, dayCount: 28)
        }
        #expect(throws: HeraldScheduleError.beforeEpoch) {
            try DayKeysJob(schedule, firstDay: 19_999, dayCount: 28)
        }
    }

    @Test func `CovidTracer's day keys are its daily keys`() throws {
        let root = CovidTracerRootKey(Bytes())
        var job = DayKeysJob(root, firstDay: Self.day, dayCount: 28)
        let made = job.advance(hashLimit: 256)
        let keys = try #require(made)
        #expect(keys.scheme == .covidTracer)
        for day in Self.day..<Self.day + 28 {
            #expect(try keys.key(of: day) == root.dailyKey(of: CalendarDate(daysSince1970: day)).bytes)
        }
    }
}
