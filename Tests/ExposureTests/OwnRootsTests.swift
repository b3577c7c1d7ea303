import Archive
import Authority
import EncounterLog
import FixedMemory
import Schemes
import Testing

@testable import Exposure

@Suite struct OwnRootsTests {
    private static let today: UInt32 = 20_779

    private func root(_ byte: UInt8, from day: UInt32, for days: UInt32 = 56) -> OwnKey {
        OwnKey(
            scheme: SchemeCode(.herald), firstPeriod: day, periodCount: days,
            bytes: [UInt8](repeating: byte, count: 32))
    }

    /// Three roots: one from five days ago, one generated ahead for the time after it, and one from today,
    /// because the key files were lost.
    private var roots: OwnRoots {
        OwnRoots([
            root(1, from: Self.today - 5), root(2, from: Self.today + 51), root(3, from: Self.today),
        ])
    }

    private static let expected: [(day: Int, roots: [UInt8])] = [
        (-6, []), (-5, [1]), (-1, [1]), (0, [1, 3]), (1, [3]), (51, [3]), (55, [3]), (56, [2]), (106, [2]),
        (107, []),
    ]

    @Test(arguments: expected)
    func `The latest root applies, and on its first day the one before it, too`(
        day: Int, expected: [UInt8]
    ) {
        let inForce = roots.inForce(onDay: UInt32(Int(Self.today) + day))
        #expect(inForce.map { $0.bytes[0] } == expected)
    }

    @Test func `Keys of the wrong length are not roots`() {
        let keys = [
            OwnKey(
                scheme: SchemeCode(.herald), firstPeriod: 3, periodCount: 9,
                bytes: [UInt8](repeating: 9, count: 31)),
            OwnKey(scheme: SchemeCode(.herald), firstPeriod: 3, periodCount: 9, bytes: []), root(1, from: 4),
        ]
        #expect(OwnRoots(keys).roots.map(\.firstDay) == [4])
    }

    @Test func `Matching keys are those of each root's days, and days without one are counted`() throws {
        let (keys, daysWithoutCount) = roots.matchingKeys(ofDays: Self.today - 6...Self.today)
        #expect(daysWithoutCount == 1)
        #expect(
            keys.map(\.daysSince1970)
                == [Self.today - 5...Self.today, Self.today...Self.today].flatMap(\.self))
        var bytes = Bytes<32>()
        for index in 0..<32 { bytes[index] = 1 }
        let schedule = HeraldKeySchedule(root: bytes, firstDay: Self.today - 5)
        let expected = try (Self.today - 5...Self.today).map { try schedule.matchingKey(ofDay: $0) }
        #expect(HeraldMatchingKeys(Array(keys.prefix(6))) == HeraldMatchingKeys(expected))
    }

    @Test func `A root's days end after 2001 of them`() {
        let roots = OwnRoots([root(1, from: Self.today, for: .max)])
        #expect(roots.matchingKeys(ofDays: Self.today + 2_000...Self.today + 2_001).keys.count == 1)
        #expect(OwnRoots([root(1, from: .max)]).matchingKeys(ofDays: .max - 1 ... .max).keys.count == 1)
    }

    @Test func `One CovidTracer key a day: the last root's, or before all roots the first root's`() throws {
        let days: [(Int, UInt8)] = [(-20, 1), (-5, 1), (-1, 1), (0, 3), (10, 3), (56, 2), (200, 3)]
        for (day, byte) in days {
            let date = CalendarDate(daysSince1970: UInt32(Int(Self.today) + day))
            var bytes = Bytes<32>()
            for index in 0..<32 { bytes[index] = byte }
            #expect(try roots.dailyKey(of: date) == CovidTracerRootKey(bytes).dailyKey(of: date))
        }
        #expect(try OwnRoots([]).dailyKey(of: CalendarDate(daysSince1970: Self.today)) == nil)
    }

    @Test(arguments: [(0, 144), (6, 138), (143, 1)] as [(UInt32, UInt32)])
    func `A key of Exposure Notification lasts to the end of its day`(start: UInt32, period: UInt32) throws {
        let key = try #require(TemporaryExposureKey(exposureKey(from: Self.today * 144 + start, for: period)))
        #expect((key.rollingStart.number, key.rollingPeriod) == (Self.today * 144 + start, period))
        #expect(key.validity.endSeconds == UInt64(Self.today + 1) * 86_400)
    }

    private func exposureKey(
        from interval: UInt32, for period: UInt32, _ scheme: SchemeCode = SchemeCode(.exposureNotification),
        count: Int = 16
    ) -> OwnKey {
        OwnKey(
            scheme: scheme, firstPeriod: interval, periodCount: period,
            bytes: [UInt8](repeating: 7, count: count))
    }

    @Test func `An invalid key is not an Exposure Notification key`() {
        #expect(TemporaryExposureKey(exposureKey(from: 0, for: 144)) != nil)
        let others = [
            exposureKey(from: 0, for: 144, count: 15), exposureKey(from: 0, for: 144, SchemeCode(.herald)),
            exposureKey(from: 0, for: 0), exposureKey(from: 0, for: 145), exposureKey(from: .max, for: 2),
        ]
        #expect(others.compactMap(TemporaryExposureKey.init).isEmpty)
    }
}
