import FixedMemory
import Matching
import Schemes
import TestSupport
import Testing

@Suite struct DayKeyTests {
    @Test(arguments: [UInt64(1), 2, 3])
    func `A Herald day expands to the identifiers that the module Schemes derives`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var expander = HeraldKeyExpander()
        for _ in 0..<5 {
            let key = HeraldMatchingKey(daysSince1970: 18_529, key: generator.block())
            var expected: [UInt64: Bytes<16>] = [:]
            try Herald.expand(key) {
                expected[($0.validity.startSeconds - 18_529 * 86_400) / 360] = $0.identity
                return true
            }
            expander.expand(key)
            #expect(expected.count == 240 && expander.identifiers.count == 240)
            for (period, identifier) in expander.identifiers.enumerated() {
                #expect(identifier == expected[UInt64(period)], "seed \(seed), period \(period)")
            }
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `A CovidTracer day expands to the identifiers that the module Schemes derives`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var expander = CovidTracerExpander()
        for _ in 0..<20 {
            let root = CovidTracerRootKey(generator.block())
            let date = CalendarDate(daysSince1970: UInt32.random(in: 0...2_932_896, using: &generator))
            var expected: [CovidTracerIdentifier] = []
            try CovidTracer.expand(try root.dailyKey(of: date)) {
                expected.append($0.identity)
                return true
            }
            expander.expand(root, date)
            #expect(expander.identifiers == expected, "seed \(seed)")
        }
    }
}
