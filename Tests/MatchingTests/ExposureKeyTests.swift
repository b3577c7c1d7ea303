import FixedMemory
import Schemes
import TestSupport
import Testing

@testable import Matching

@Suite struct ExposureKeyTests {
    private static let day = ExposureNotificationInterval(number: 18_389 * 144)

    private func key(
        _ data: Bytes<16>, start: ExposureNotificationInterval = day, period: UInt32 = 144
    ) throws -> TemporaryExposureKey {
        try TemporaryExposureKey(data: data, rollingStart: start, rollingPeriod: period)
    }

    /// Derives the identifiers with `ExposureNotification.expand`.
    private func expected(_ key: TemporaryExposureKey) throws -> [RollingProximityIdentifier] {
        var identifiers: [RollingProximityIdentifier] = []
        try ExposureNotification.expand(key) {
            identifiers.append($0.identity)
            return true
        }
        return identifiers
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `A key expands to the identifiers that the module Schemes derives, after keys of any length`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        // The specification's own key comes first, then random keys, so that short periods follow long ones.
        let specified = [UInt8](hex: "75c734c6dd1a782de7a965da5eb93125")
        let data = Bytes<16>(specified.span)
        var keys = [
            try key(try #require(data), start: ExposureNotificationInterval(number: 2_642_976))
        ]
        for _ in 0..<50 {
            let period = UInt32.random(in: 1...144, using: &generator)
            let start = UInt32.random(in: 0...UInt32.max - 144, using: &generator)
            keys.append(
                try key(
                    generator.block(), start: ExposureNotificationInterval(number: start), period: period))
        }
        var expander = try ExposureKeyExpander()
        for key in keys {
            try expander.expand(key)
            let identifiers = expander.identifiers
            let made = identifiers.indices.map { identifiers[$0] }
            #expect(try made == expected(key), "seed \(seed)")
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `The matches are those that the scheme finds key by key`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let keys = try (0..<6).map { _ in
            try key(generator.block(), period: UInt32.random(in: 1...144, using: &generator))
        }
        var heard = (0..<200).map { _ in
            HeardIdentifier(RollingProximityIdentifier(generator.block()), at: Self.day.startSeconds)
        }
        for key in keys {
            for (index, identifier) in try expected(key).enumerated() where index.isMultiple(of: 5) {
                let start = key.rollingStart.startSeconds + UInt64(index) * 600
                // The times lie just inside and outside both ends of the tolerance and in the middle; one
                // occurs twice.
                for seconds in [
                    start - 7_201, start - 7_200, start + 300, start + 300, start + 7_799, start + 7_800,
                ] {
                    heard.append(HeardIdentifier(identifier, at: seconds))
                }
            }
        }
        heard.shuffle(using: &generator)

        var matcher = try ExposureKeyMatcher(heard)
        for key in keys {
            var found: [Int] = []
            try matcher.match(key) { place, _ in found.append(place) }
            let expected = try heard.indices.filter {
                try ExposureNotification.matches(heard[$0].identifier, seenAt: heard[$0].unixSeconds, key)
            }
            #expect(!expected.isEmpty)
            #expect(found.sorted() == expected, "seed \(seed)")
        }
    }

    @Test func `A match comes with its interval, by intervals and then by places`() throws {
        let key = try key(Bytes())
        let own = try expected(key)
        let heard = [140, 3, 77, 3].map {
            HeardIdentifier(own[$0], at: Self.day.startSeconds + UInt64($0) * 600)
        }
        var matcher = try ExposureKeyMatcher(heard)
        var found: [[UInt32]] = []
        try matcher.match(key) { found.append([UInt32($0), $1.number - Self.day.number]) }
        #expect(found == [[1, 3], [3, 3], [2, 77], [0, 140]])
    }

    @Test func `Nothing heard is nothing found`() throws {
        var matcher = try ExposureKeyMatcher([])
        var count = 0
        try matcher.match(try key(Bytes())) { _, _ in count += 1 }
        #expect(count == 0)
    }

    @Test(arguments: [UInt64(1), 2])
    func `The answers do not depend on how identifiers are hashed, nor on a filter that is full`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let list = (0..<1_000).map { _ in RollingProximityIdentifier(generator.block()) }
        let others = (0..<1_000).map { _ in RollingProximityIdentifier(generator.block()) }
        let candidates = list + others
        // Under the first of these seeds all identifiers have the same hash.
        for words in [IdentifierWords(0, 0), IdentifierWords(generator.next(), generator.next())] {
            let isConstant = words == IdentifierWords(0, 0)
            let hash = IdentifierHash(seed: words)
            let hashed = isConstant ? list.map { Self.halved($0) } : list
            let asked = isConstant ? candidates.map { Self.halved($0) } : candidates
            let set = IdentifierSet(hashed, hash: hash)
            var found: [Int] = []
            set.forEach(in: asked.span) { index, _ in found.append(index) }
            #expect(found == Array(list.indices), "seed \(seed)")
        }
    }

    /// Clears the first eight bytes, which makes any product zero.
    private static func halved(_ identifier: RollingProximityIdentifier) -> RollingProximityIdentifier {
        var bytes = identifier.bytes
        for index in 0..<8 { bytes[index] = 0 }
        return RollingProximityIdentifier(bytes)
    }
}

extension SeededGenerator {
    mutating func block<let count: Int>() -> Bytes<count> {
        let bytes = bytes(count)
        return Bytes(bytes.span) ?? Bytes()
    }
}
