import HCI
import TestSupport
import Testing

@testable import Peers

@Suite struct ExchangeTests {
    @Test func thePauseDoublesWithEachFailureUpToTheLongest() {
        var exchange = Exchange()
        var pauses: [UInt64] = []
        for _ in 0..<20 {
            exchange.fail(nowMilliseconds: 100, jitter: 0, firstPauseMilliseconds: 2_000)
            pauses.append(exchange.nextAttemptMilliseconds - 100)
        }
        #expect(
            pauses.prefix(9) == [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000])
        #expect(pauses.suffix(11).allSatisfy { $0 == 600_000 })
    }

    @Test func jitterAddsUpToAQuarterAndNothingMore() {
        let seed: UInt64 = 11
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var seen: Set<UInt64> = []
        for _ in 0..<1_000 {
            var exchange = Exchange()
            exchange.fail(nowMilliseconds: 0, jitter: generator.next(), firstPauseMilliseconds: 2_000)
            #expect((2_000...2_500).contains(exchange.nextAttemptMilliseconds))
            seen.insert(exchange.nextAttemptMilliseconds)
        }
        #expect(seen.count > 300)
    }

    @Test func countlessFailuresNeverOverflow() {
        var exchange = Exchange()
        for _ in 0..<1_000 {
            exchange.fail(nowMilliseconds: 1 << 40, jitter: .max, firstPauseMilliseconds: 60_000)
        }
        #expect(exchange.failures == .max)
        #expect(exchange.nextAttemptMilliseconds <= 1 << 40 + 750_000)
    }

    @Test func anIdentityThatCameSomeOtherWayIsNotAskedForAgain() {
        var exchange = Exchange()
        exchange.progress = .done
        exchange.fail(nowMilliseconds: 0, jitter: 0, firstPauseMilliseconds: 2_000)
        #expect(exchange.progress == .done)
    }
}
