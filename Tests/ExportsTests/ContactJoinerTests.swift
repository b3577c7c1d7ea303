import Archive
import TestSupport
import Testing

@testable import Exports

@Suite struct ContactJoinerTests {
    @Test
    func `contacts within the gap become one, with the sums and extremes of both`() {
        let joined = joined(
            [
                .of(1, 2, 0, 10, readings: 3, dBm: -70, error: 1),
                .of(1, 2, 15, 20, readings: 4, dBm: -60, error: 2),
                .of(1, 2, 26, 30),
            ],
            gap: 5)
        #expect(
            joined == [.of(1, 2, 0, 20, readings: 7, dBm: -60, error: 2), .of(1, 2, 26, 30)])
    }

    @Test
    func `an unknown clock error stays unknown`() {
        let joined = joined([.of(1, 2, 0, 10, error: 1), .of(1, 2, 10, 20, error: nil)], gap: 0)
        #expect(joined.map(\.errorMilliseconds) == [nil])
    }

    @Test
    func `worse evidence does not lengthen better`() {
        let contacts: [NetworkContact] = [
            .of(1, 2, 0, 10), .of(1, 2, 5, 500, certainty: .written), .of(1, 2, 12, 20),
        ]
        #expect(
            joined(contacts, gap: 5) == [
                .of(1, 2, 0, 20, readings: 2), .of(1, 2, 5, 500, certainty: .written),
            ])
    }

    @Test
    func `other pairs stay apart, and the order of starts is kept behind a long contact`() {
        let contacts: [NetworkContact] = [
            .of(1, 2, 0, 1000), .of(1, 3, 1, 2), .of(2, 3, 4, 5), .of(1, 3, 6, 7), .of(1, 3, 2000, 2001),
        ]
        #expect(
            joined(contacts, gap: 4)
                == [.of(1, 2, 0, 1000), .of(1, 3, 1, 7, readings: 2), .of(2, 3, 4, 5), .of(1, 3, 2000, 2001)])
    }

    @Test
    func `ten thousand contacts at once are the same as when each pair is joined alone`() {
        var random = SeededGenerator(seed: 26)
        var contacts: [NetworkContact] = []
        for _ in 0..<10_000 {
            let start = Int64.random(in: 0..<100_000, using: &random)
            contacts.append(
                .of(
                    Int.random(in: 1...4, using: &random), Int.random(in: 5...9, using: &random), start,
                    start + Int64.random(in: 0..<300, using: &random)))
        }
        contacts.sort()
        var alone: [NetworkContact] = []
        for (_, each) in Dictionary(grouping: contacts, by: \.pair) {
            for contact in each {
                if let last = alone.last, last.pair == contact.pair, contact.start <= last.end + 20 {
                    alone[alone.count - 1].join(contact)
                } else {
                    alone.append(contact)
                }
            }
        }
        #expect(joined(contacts, gap: 20).sorted() == alone.sorted())
        #expect(joined(contacts, gap: 20).map(\.start) == alone.map(\.start).sorted())
    }

    @Test
    func `sums at the end of time do not overflow`() {
        let end = Int64.max
        #expect(
            joined([.of(1, 2, 0, end), .of(1, 2, end, end)], gap: end) == [.of(1, 2, 0, end, readings: 2)])
    }

    private func joined(_ contacts: [NetworkContact], gap: Int64) -> [NetworkContact] {
        var joiner = ContactJoiner(gap: gap)
        return contacts.flatMap { joiner.next($0) } + joiner.rest()
    }
}

extension NetworkContact {
    /// Milliseconds from start to end.
    static func of(
        _ first: Int, _ second: Int, _ start: Int64, _ end: Int64, readings: Int = 1, dBm: Int? = nil,
        error: Int64? = 0, certainty: ContactCertainty = .served
    ) -> NetworkContact {
        NetworkContact(
            first: first, second: second, start: start, end: end, errorMilliseconds: error,
            readingCount: readings, maximumDBm: dBm, signalAtFirst: nil, signalAtSecond: nil, isMutual: false,
            certainty: certainty)
    }
}
