import FixedMemory
import Peers
import TestSupport
import Testing

@Suite struct FruitlessAttemptsTests {
    @Test func `failed attempts take a tenth of an hour and one minute at most`() {
        var attempts = FruitlessAttempts()
        var now: Instant = 0
        var total = Interval.zero
        while now < 3_600_000 {
            if attempts.allowsAttempt(now: now) {
                now += .seconds(2)
                attempts.record(.seconds(2), now: now)
                total += .seconds(2)
            }
            now += .milliseconds(100)
        }
        #expect(total <= .seconds(360 + 60 + 4))
        #expect(total > .seconds(360))
    }

    @Test func `few failed attempts change nothing`() {
        var attempts = FruitlessAttempts()
        for _ in 0..<10 { attempts.record(.seconds(2), now: 1_000_000) }
        #expect(attempts.allowsAttempt(now: 1_000_000) && !attempts.isNearLimit(now: 1_000_000))
    }

    @Test func `near the limit the nearest peer has no priority`() {
        var attempts = FruitlessAttempts()
        for _ in 0..<20 { attempts.record(.seconds(2), now: 1_000_000) }
        #expect(attempts.allowsAttempt(now: 1_000_000) && attempts.isNearLimit(now: 1_000_000))
    }
}
