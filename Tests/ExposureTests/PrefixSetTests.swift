import TestSupport
import Testing

@testable import Exposure

@Suite struct PrefixSetTests {
    @Test func `a set has what was inserted, and nothing else`() {
        var random = SeededGenerator(seed: 26)
        let inside = (0..<5_000).map { _ in random.next() } + [0, .max, 1]
        var set = PrefixSet(capacity: inside.count)
        #expect(!set.contains(0) && !set.contains(.max))
        for prefix in inside + inside { set.insert(prefix) }
        #expect(inside.allSatisfy(set.contains))
        #expect((0..<5_000).count { _ in set.contains(random.next()) } == 0)
    }

    @Test func `neighbouring numbers do not fill one place`() {
        var set = PrefixSet(capacity: 100_000)
        for number in UInt64(1)...100_000 { set.insert(number << 32) }
        #expect((UInt64(1)...100_000).allSatisfy { set.contains($0 << 32) && !set.contains($0) })
    }
}
