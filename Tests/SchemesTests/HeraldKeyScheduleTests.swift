import Cryptography
import FixedMemory
import Foundation
import TestSupport
import Testing

@testable import Schemes

/// Tests/Vectors/herald-key-schedule.json
private struct KeyScheduleVectors: Decodable {
    struct Seed: Decodable {
        let day: Int
        let seed: String
    }

    struct Key: Decodable {
        let day: Int
        let period: Int?
        let key: String
    }

    struct Identifier: Decodable {
        let day: Int
        let period: Int
        let identifier: String
    }

    struct Time: Decodable {
        let epoch: String
        let unixSeconds: UInt64
        let day: Int?
        let period: Int?
    }

    let secretHash: String
    let seeds: [Seed]
    let matchingKeys: [Key]
    let contactKeys: [Key]
    let identifiers: [Identifier]
    let times: [Time]

    static func load() throws -> KeyScheduleVectors { try Vectors.load("herald-key-schedule.json") }
}

extension HeraldKeySchedule {
    /// A secret of zeros, and the epoch of Herald's phones: 2020-09-24.
    fileprivate static let phones = HeraldKeySchedule(
        secret: [UInt8](repeating: 0, count: 2048).span, epochDay: 18_529)

    fileprivate func matchingKey(day: Int) throws -> Bytes<32> {
        var (chain, allowance) = (chain(toDay: day), 5_000)
        let key = chain.advance(&allowance)
        return try #require(key)
    }
}

private func contactKey(_ matchingKey: Bytes<32>, period: Int) throws -> [UInt8] {
    var (chain, allowance) = (HeraldKeySchedule.chain(from: matchingKey, toPeriod: period), 5_000)
    let key = chain.advance(&allowance)
    return try #require(key).span.array
}

@Suite struct HeraldKeyScheduleTests {
    @Test func `HP-O01, X3: matching keys, contact keys and identifiers equal those of Herald's phones`()
        throws
    {
        let vectors = try KeyScheduleVectors.load()
        let schedule = HeraldKeySchedule.phones
        #expect(
            SHA256.digest(of: [UInt8](repeating: 0, count: 2048).span).span.array.hex == vectors.secretHash)
        for vector in vectors.matchingKeys {
            #expect(try schedule.matchingKey(day: vector.day).span.array.hex == vector.key)
        }
        for vector in vectors.contactKeys {
            let key = try contactKey(
                schedule.matchingKey(day: vector.day), period: try #require(vector.period))
            #expect(key.hex == vector.key)
        }
        for vector in vectors.identifiers {
            let key = try contactKey(schedule.matchingKey(day: vector.day), period: vector.period)
            #expect(Array(key.prefix(16)).hex == vector.identifier)
        }
    }

    /// Checks key = H(seed xor previous seed), computed from the seed alone.
    @Test func `seeds equal those of Herald's phones`() throws {
        for vector in try KeyScheduleVectors.load().seeds {
            let seed = [UInt8](hex: vector.seed)
            let before = SHA256.digest(of: seed.span.extracting(0..<16)).span.array
            let mixed = zip(seed, before).map { $0 ^ $1 }
            let key = try HeraldKeySchedule.phones.matchingKey(day: vector.day)
            #expect(SHA256.digest(of: mixed.span) == key)
        }
    }

    @Test func `a root stands for the secret that it expands to, and its first day is day 0`() throws {
        let root = [UInt8](0..<32)
        let secret = (UInt8(0)..<64).flatMap { SHA256.digest(of: (root + [$0]).span).span.array }
        #expect(secret.count == HeraldKeySchedule.secretByteCount)
        let expanded = HeraldKeySchedule(secret: secret.span, epochDay: 20_779)
        let block = Bytes<32>(root.span) ?? Bytes()
        let made = HeraldKeySchedule(root: block, firstDay: 20_779)
        #expect(made.epochDay == 20_779)
        #expect(try made.matchingKey(day: 0) == expanded.matchingKey(day: 0))
        // Made by Tests/Vectors/herald_key_schedule.py.
        let fourth = "ce4b74e830304928428b28ad4f0c38201244ef53113adde67a53b88f5a632e7a"
        #expect(try made.matchingKey(day: 3).span.array.hex == fourth)
    }

    /// 3,133 rows from an independent program (Tests/Vectors/herald_key_schedule.py); the rows of days 0 to
    /// 10 have the checksum of Herald's own file.
    @Test func `HP-O01: all 2,651 identifiers of Herald's file match, and those of the last two days`() throws
    {
        let text = try String(contentsOf: Vectors.url("herald-contact-identifiers.csv"), encoding: .utf8)
        var (count, keyDay, key) = (0, -1, Bytes<32>())
        for row in text.split(separator: "\n").dropFirst() {
            let columns = row.split(separator: ",")
            let (day, period) = (try #require(Int(columns[0])), try #require(Int(columns[1])))
            if day != keyDay { (keyDay, key) = (day, try HeraldKeySchedule.phones.matchingKey(day: day)) }
            let made = try contactKey(key, period: period)
            guard Array(made.prefix(16)).hex == columns[2] else {
                Issue.record("day \(day), period \(period)")
                continue
            }
            count += 1
        }
        #expect(count == 3_133)
    }

    @Test func `T4, T5: days are whole UTC days since the epoch, and periods last six minutes`() throws {
        for vector in try KeyScheduleVectors.load().times {
            #expect(vector.epoch == "2020-09-24")
            let milliseconds = vector.unixSeconds * 1_000
            let period = try? HeraldKeySchedule.phones.period(at: milliseconds)
            #expect(period?.day == vector.day, "\(vector.unixSeconds)")
            #expect(period?.index == vector.period, "\(vector.unixSeconds)")
        }
        let schedule = HeraldKeySchedule.phones
        #expect(throws: HeraldScheduleError.beforeEpoch) { try schedule.period(at: 0) }
        #expect(throws: HeraldScheduleError.over) { try schedule.period(at: .max) }
        #expect(throws: HeraldScheduleError.over) { try schedule.period(at: schedule.endMilliseconds) }
        let last = try schedule.period(at: schedule.endMilliseconds - 1)
        #expect(last.ordinal == 2_001 * 240 - 1)
    }
}

@Suite struct HeraldIdentifierMakerTests {
    private static func period(_ day: Int, _ index: Int) -> HeraldPeriod {
        HeraldPeriod(day: day, index: index)
    }

    @Test func `an identifier takes as many steps as the limit demands, and is then known`() throws {
        for limit in [3, 64, 256, 5_000] {
            var maker = HeraldIdentifierMaker(.phones)
            var (steps, made) = (0, Bytes<16>?.none)
            while made == nil {
                let before = maker.hashCount
                made = maker.identifier(of: Self.period(0, 0), hashLimit: limit)
                #expect(maker.hashCount - before <= UInt64(limit))
                steps += 1
            }
            #expect(made?.span.array.hex == "e2cfbeb32de932c9171c658b5f57a337")
            #expect(steps <= 2_246 / (limit - 2) + 1)
            // 2,000 hashes down to day 0 and 2 for its key; 1 and 240 down to period 0 and 2 for its key.
            #expect(maker.hashCount == 2_245)
            let again = maker.identifier(of: Self.period(0, 0), hashLimit: 3)
            #expect(again == made)
            #expect(maker.hashCount == 2_245)
        }
    }

    @Test func `a day's key is made once a day`() throws {
        var maker = HeraldIdentifierMaker(.phones)
        for index in 0..<240 {
            while maker.identifier(of: Self.period(10, index), hashLimit: 256) == nil {}
        }
        let ofPeriods = (0..<240).reduce(0) { $0 + 1 + (240 - $1) + 2 }
        #expect(maker.hashCount == UInt64(1_990 + 2 + ofPeriods))
    }

    @Test func `work on another period in between is harmless`() throws {
        var maker = HeraldIdentifierMaker(.phones)
        _ = maker.identifier(of: Self.period(0, 0), hashLimit: 100)
        _ = maker.identifier(of: Self.period(10, 88), hashLimit: 100)
        var made: Bytes<16>?
        while made == nil { made = maker.identifier(of: Self.period(0, 1), hashLimit: 100) }
        #expect(made?.span.array.hex == "d7f8ef992e35091fed00b9c47dcfe398")
        made = nil
        while made == nil { made = maker.identifier(of: Self.period(10, 88), hashLimit: 100) }
        #expect(made?.span.array.hex == "1a62affe1c74e52a2cb4c61d18d00d06")
    }

    @Test func `T3, X3: a Simple payload has 21 bytes, little-endian, and reads back`() throws {
        let bytes = [UInt8](hex: "e2cfbeb32de932c9171c658b5f57a337")
        let identifier = Bytes<16>(bytes.span) ?? Bytes()
        let simple = HeraldSimple(country: 826, state: 4, identifier: identifier)
        let encoded = simple.encoded()
        #expect(encoded.span.array.hex == "103a030400" + "e2cfbeb32de932c9171c658b5f57a337")
        #expect(encoded.count == HeraldSimple.byteCount)
        #expect(try HeraldSimple(parsing: encoded.span) == simple)
    }
}
