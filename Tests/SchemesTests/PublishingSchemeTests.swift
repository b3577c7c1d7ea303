import Cryptography
import FixedMemory
import TestSupport
import Testing

@testable import Schemes

/// 2020-05-07 12:30:00 UTC, in the middle of an hour.
private let time: UInt64 = 1_588_854_600

private func block<let count: Int>(_ seed: UInt64) -> Bytes<count> {
    var generator = SeededGenerator(seed: seed)
    return Bytes(generator.bytes(count).span) ?? Bytes()
}

@Suite struct CovidTracerTests {
    private func own(_ seconds: UInt64) throws -> Timed<CovidTracerIdentifier> {
        var root = CovidTracerRootKey(block(1))
        return try CovidTracer.identity(at: seconds, by: &root)
    }

    private func published(_ seconds: UInt64) throws -> CovidTracerDailyKey {
        try CovidTracerRootKey(block(1)).dailyKey(of: CovidTracerHour(containing: seconds).date)
    }

    @Test func `an identifier lasts an hour`() throws {
        let now = try own(time)
        #expect(now.validity.startSeconds == time - 1_800)
        #expect(now.validity.endSeconds == time + 1_800)
        #expect(try own(time + 1_799).identity == now.identity)
        #expect(try own(time + 1_800).identity != now.identity)
    }

    @Test
    func `an identifier matches in its hour and one on either side, not later that day or under another key`()
        throws
    {
        let (identity, key) = (try own(time).identity, try published(time))
        for (offset, isMatch) in [
            (-5_401, false), (-5_400, true), (0, true), (5_399, true), (5_400, false), (18_000, false),
        ] {
            let seconds = UInt64(Int64(time) + Int64(offset))
            #expect(try CovidTracer.matches(identity, seenAt: seconds, key) == isMatch, "\(offset) s")
        }
        #expect(try !CovidTracer.matches(identity, seenAt: time, published(time + 86_400)))
    }

    @Test func `an identifier read just after midnight matches yesterday's key`() throws {
        let midnight: UInt64 = 1_588_896_000
        let identity = try own(midnight - 1).identity
        #expect(try CovidTracer.matches(identity, seenAt: midnight + 60, published(midnight - 1)))
    }

    @Test func `an identifier has exactly 20 bytes`() {
        for count in [0, 19, 21] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(throws: CovidTracerError.wrongLength) { try CovidTracer.read(bytes.span) }
        }
        #expect(throws: CovidTracerError.noDate) { try own(.max) }
        #expect(throws: CovidTracerError.noDate) { try own(253_402_300_800) }  // the year 10000
    }
}

@Suite struct ExposureNotificationTests {
    private static let metadata = AssociatedMetadata(
        majorVersion: 1, minorVersion: 1, calibrationConfidence: 3, txPowerDBm: -20)

    @Test func `a phone has one key a day and one identifier every ten minutes`() throws {
        var maker = ExposureNotificationMaker(metadata: Self.metadata, entropy: .system)
        let first = try ExposureNotification.identity(at: time, by: &maker)
        let key = try #require(maker.key)
        #expect(key.rollingStart.startSeconds == 1_588_809_600)
        #expect(first.validity.endSeconds - first.validity.startSeconds == 600)
        #expect(try ExposureNotification.identity(at: time + 599, by: &maker).identity == first.identity)
        #expect(try ExposureNotification.identity(at: time + 600, by: &maker).identity != first.identity)
        #expect(maker.key == key)
        _ = try ExposureNotification.identity(at: time + 86_400, by: &maker)
        #expect(maker.key != key)
    }

    @Test func `an identifier matches within two hours of its interval, and its metadata decrypt`() throws {
        var maker = ExposureNotificationMaker(metadata: Self.metadata, entropy: .system)
        let own = try ExposureNotification.identity(at: time, by: &maker)
        let key = try #require(maker.key)
        let identifier = own.identity.identifier
        let (start, end) = (own.validity.startSeconds, own.validity.endSeconds)
        for (seconds, isMatch) in [
            (start - 7_201, false), (start - 7_200, true), (time, true), (end + 7_199, true),
            (end + 7_200, false),
        ] {
            #expect(try ExposureNotification.matches(identifier, seenAt: seconds, key) == isMatch)
        }
        let keys = try RollingKeys(key)
        let opened = try keys.decrypt(own.identity.metadata, with: identifier)
        #expect(opened == Self.metadata)
        #expect(opened.txPowerDBm == -20)
    }

    @Test func `a shortened key reveals only the intervals of its period`() throws {
        let interval = try ExposureNotificationInterval(containing: time)
        let key = try TemporaryExposureKey(data: block(3), rollingStart: interval, rollingPeriod: 2)
        var intervals: [UInt64] = []
        try ExposureNotification.expand(key) {
            intervals.append($0.validity.startSeconds)
            return true
        }
        #expect(intervals == [interval.startSeconds, interval.startSeconds + 600])
    }

    @Test func `empty periods, periods over a day, and periods past the last interval are refused`() throws {
        for (start, period) in [(0, 0), (0, 145), (UInt32.max, 2), (UInt32.max - 142, 144)]
            as [(UInt32, UInt32)]
        {
            #expect(throws: ExposureNotificationError.wrongRollingPeriod) {
                try TemporaryExposureKey(
                    data: block(4), rollingStart: ExposureNotificationInterval(number: start),
                    rollingPeriod: period)
            }
        }
        #expect(throws: ExposureNotificationError.noInterval) {
            try ExposureNotificationInterval(containing: 600 << 32)
        }
    }

    @Test func `service data have exactly 20 bytes`() {
        for count in [0, 16, 19, 21] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(throws: ExposureNotificationError.wrongLength) {
                try ExposureNotification.read(bytes.span)
            }
        }
    }
}

@Suite struct BLEProximityTests {
    @Test func `an identity lasts one period, and then a fresh one replaces it`() throws {
        var maker = BLEProximityMaker(periodSeconds: 900, entropy: .system)
        let first = try BLEProximity.identity(at: time, by: &maker)
        #expect(first.validity.contains(time))
        #expect(first.validity.endSeconds - first.validity.startSeconds == 900)
        #expect(
            try BLEProximity.identity(at: first.validity.endSeconds - 1, by: &maker).identity
                == first.identity)
        #expect(
            try BLEProximity.identity(at: first.validity.endSeconds, by: &maker).identity != first.identity)
        #expect(try BLEProximity.matches(first.identity, seenAt: time + 3_600, first))
        #expect(try !BLEProximity.matches(first.identity, seenAt: time + 7_200, first))
    }

    @Test func `without randomness there is no identity`() {
        var maker = BLEProximityMaker(
            periodSeconds: 900, entropy: Entropy { _, _, _ in Entropy.failure })
        #expect(throws: BLEProximityError.noEntropy) { try BLEProximity.identity(at: time, by: &maker) }
    }

    @Test func `eight or more bytes are read, and fewer are refused`() throws {
        let bytes = [UInt8](hex: "efcdab8967452301")
        let longer = bytes + [1, 2, 3]
        let shorter = Array(bytes.dropLast())
        #expect(try BLEProximity.read(bytes.span).value == 0x0123_4567_89ab_cdef)
        #expect(try BLEProximity.read(longer.span).value == 0x0123_4567_89ab_cdef)
        #expect(throws: BLEProximityError.tooShort) { try BLEProximity.read(shorter.span) }
        #expect(try BLEProximity.read(bytes.span).encoded.span.array == bytes)
    }
}

@Suite struct HeraldSchemeTests {
    private static let epochDay: UInt32 = 18_262  // 2020-01-01

    @Test func `a wearer's identifier matches its day's key, in its period and in one on either side`() throws
    {
        var generator = SeededGenerator(seed: 5)
        let schedule = HeraldKeySchedule(secret: generator.bytes(2_048).span, epochDay: Self.epochDay)
        var maker = HeraldIdentifierMaker(schedule)
        let own = try Herald.identity(at: time, by: &maker)
        let day = try schedule.period(at: time * 1_000).day
        var (chain, allowance) = (schedule.chain(toDay: day), 5_000)
        let made = chain.advance(&allowance)
        let key = HeraldMatchingKey(daysSince1970: Self.epochDay + UInt32(day), key: try #require(made))
        let (start, end) = (own.validity.startSeconds, own.validity.endSeconds)
        #expect(end - start == 360)
        for (seconds, isMatch) in [
            (start - 361, false), (start - 360, true), (time, true), (end + 359, true), (end + 360, false),
        ] {
            #expect(try Herald.matches(own.identity, seenAt: seconds, key) == isMatch)
        }
    }

    @Test func `a day's key expands to its 240 identifiers`() throws {
        let vectors = HeraldKeySchedule(secret: [UInt8](repeating: 0, count: 2_048).span, epochDay: 18_529)
        var (chain, allowance) = (vectors.chain(toDay: 0), 5_000)
        let made = chain.advance(&allowance)
        let key = HeraldMatchingKey(daysSince1970: 18_529, key: try #require(made))
        var identities: [UInt64: String] = [:]
        try Herald.expand(key) {
            identities[$0.validity.startSeconds] = $0.identity.span.array.hex
            return true
        }
        #expect(identities.count == 240)
        // Herald's own file: days 0, periods 0 and 1 (Tests/Vectors/herald-key-schedule.json).
        #expect(identities[18_529 * 86_400] == "e2cfbeb32de932c9171c658b5f57a337")
        #expect(identities[18_529 * 86_400 + 360] == "d7f8ef992e35091fed00b9c47dcfe398")
    }

    @Test func `zeros and other payloads identify no device`() {
        for payload in ["103a030400" + String(repeating: "00", count: 16), "303a03040000000001", "", "10"] {
            let bytes = [UInt8](hex: payload)
            #expect(throws: HeraldScheduleError.notAnIdentity) { try Herald.read(bytes.span) }
        }
    }
}

@Suite struct ValidityIntervalTests {
    @Test func `intervals at either end of time stay intervals`() {
        #expect(ValidityInterval(startSeconds: 1, endSeconds: 1) == nil)
        for seconds in [0, 1, UInt64.max - 1, .max] {
            for period in [0, 1, 86_400, UInt32.max] {
                let interval = ValidityInterval(around: seconds, periodSeconds: period)
                #expect(interval.startSeconds < interval.endSeconds)
                let wide = interval.widened(by: .max)
                #expect(wide.startSeconds == 0 && wide.endSeconds == .max)
            }
        }
        #expect(ValidityInterval(around: 599, periodSeconds: 600).contains(0))
        #expect(!ValidityInterval(around: 599, periodSeconds: 600).contains(600))
    }
}
