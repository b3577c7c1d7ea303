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

    @Test func `a refusal over a link that the peer opened does not keep the agent from asking itself`() {
        var exchange = Exchange()
        exchange.refuse(isOurs: false, now: 0)
        #expect(exchange.isRefused(isOurs: false, now: 86_399_999))
        #expect(!exchange.isRefused(isOurs: true, now: 0) && exchange.nextAttempt == 0)
        #expect(!exchange.isRefused(isOurs: false, now: 86_400_000))
    }

    @Test func `a refusal over a link of ours bars every link for a day`() {
        var exchange = Exchange()
        exchange.progress = .running
        exchange.refuse(isOurs: true, now: 0)
        #expect(exchange.progress == .needed && exchange.nextAttempt == 86_400_000)
        #expect(exchange.isRefused(isOurs: true, now: 86_399_999))
        #expect(exchange.isRefused(isOurs: false, now: 86_399_999))
        #expect(!exchange.isRefused(isOurs: true, now: 86_400_000))
    }

    @Test func `a refusal to be read again keeps the identity`() {
        var exchange = Exchange()
        exchange.succeed(now: 0)
        exchange.refuse(isOurs: true, now: 900_000)
        #expect(exchange.progress == .done)
        #expect(!exchange.isRereadDue(now: 87_299_999))
        #expect(exchange.isRereadDue(now: 87_300_000))
    }

    @Test func `after a move a peer that refused is asked again, ten minutes later at the earliest`() {
        var exchange = Exchange()
        exchange.refuse(isOurs: true, now: 0)
        exchange.forgetRefusal(now: 1_000)
        exchange.forgetRefusal(now: 2_000)
        #expect(exchange.isRefused(isOurs: true, now: 600_999))
        #expect(!exchange.isRefused(isOurs: true, now: 601_000) && exchange.nextAttempt == 601_000)
    }

    @Test func `a peer that refuses to be read again is asked ten minutes after a move, and not at once`() {
        var exchange = Exchange()
        exchange.succeed(now: 0)
        exchange.refuse(isOurs: true, now: 900_000)
        exchange.forgetRefusal(now: 901_000)
        exchange.move(now: 901_000)
        #expect(!exchange.isRereadDue(now: 1_500_999))
        #expect(exchange.isRereadDue(now: 1_501_000))
    }

    @Test func `a move does not shorten another back-off than that of the refusal`() {
        var exchange = Exchange()
        for _ in 0..<4 { exchange.fail(now: 0, jitter: 0, isUnsupported: true) }
        exchange.refuse(isOurs: false, now: 0)
        exchange.forgetRefusal(now: 1_000)
        #expect(exchange.nextAttempt == 2_400_000 && exchange.nextIncoming == 601_000)
    }

    @Test func `HP-C21: an identity that came in another way is not read again`() {
        var exchange = Exchange()
        exchange.progress = .done
        exchange.fail(now: 0, jitter: 0)
        #expect(exchange.progress == .done)
    }
}
