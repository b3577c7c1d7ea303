import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

@Suite struct ExchangeTests {
    @Test func `HP-C25: the pause doubles with each failure, up to the longest`() {
        var exchange = Exchange()
        var pauses: [Interval] = []
        for _ in 0..<20 {
            exchange.fail(now: 100, jitter: 0)
            pauses.append(exchange.nextAttempt - 100)
        }
        #expect(
            pauses.prefix(9) == [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000])
        #expect(pauses.suffix(11).allSatisfy { $0 == 600_000 })
    }

    @Test func `HP-C25: jitter adds up to a quarter of the pause and nothing more`() {
        let seed: UInt64 = 11
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var seen: Set<Instant> = []
        for _ in 0..<1_000 {
            var exchange = Exchange()
            exchange.fail(now: 0, jitter: generator.next())
            #expect((2_000...2_500 as ClosedRange<Instant>).contains(exchange.nextAttempt))
            seen.insert(exchange.nextAttempt)
        }
        #expect(seen.count > 300)
    }

    @Test func `countless failures never overflow`() {
        var exchange = Exchange()
        for _ in 0..<1_000 {
            exchange.fail(now: Instant(milliseconds: 1 << 40), jitter: .max, isUnsupported: true)
        }
        #expect(exchange.failures == .max)
        #expect(exchange.nextAttempt <= Instant(milliseconds: 1 << 40) + 4_500_000)
    }

    @Test func `HP-C21: an identity that came in another way is not read again`() {
        var exchange = Exchange()
        exchange.progress = .done
        exchange.fail(now: 0, jitter: 0)
        #expect(exchange.progress == .done)
    }
}
