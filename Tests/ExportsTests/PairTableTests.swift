import Archive
import Testing

@testable import Exports

@Suite struct PairTableTests {
    @Test
    func `pairs come in order of their numbers, with their contacts in order of time`() throws {
        let pairs = try PairTable([
            .of(2, 3, 10, 20), .of(1, 3, 15, 30), .of(2, 3, 40, 50), .of(1, 2, 60, 70),
        ])
        var seen: [[Int64]] = []
        try pairs.forEach { pair, total in
            seen.append(
                [Int64(pair.first), Int64(pair.second)] + total.spans.flatMap { [$0.start, $0.end] })
            return true
        }
        #expect(seen == [[1, 2, 60, 70], [1, 3, 15, 30], [2, 3, 10, 20, 40, 50]])
    }

    @Test
    func `no pair follows one after which none is wanted`() throws {
        let pairs = try PairTable([.of(1, 2, 0, 1), .of(1, 3, 0, 1), .of(2, 3, 0, 1)])
        var count = 0
        try pairs.forEach { _, _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }

    @Test
    func `no contact makes no pair`() throws {
        try PairTable([]).forEach { _, _ in
            Issue.record("a pair of nobody")
            return true
        }
    }
}
