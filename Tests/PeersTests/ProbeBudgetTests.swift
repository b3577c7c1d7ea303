import FixedMemory
import Peers
import TestSupport
import Testing

@Suite struct ProbeBudgetTests {
    @Test func `HP-C20: at most ten candidates a minute are probed`() {
        var budget = ProbeBudget()
        var probes = 0
        for now in (0..<60_000).map(Instant.init(milliseconds:)) where budget.allowsProbe(now: now) {
            probes += 1
            budget.begin(now: now)
            budget.end(now: now + .milliseconds(100))
        }
        #expect(probes == 10)
    }

    @Test(arguments: [400, 1_000, 2_500, 7_000] as [Interval])
    func `HP-C20, HP-C24: probes take a twentieth of the time at most`(_ duration: Interval) {
        var budget = ProbeBudget()
        var spent = Interval.zero
        var now: Instant = 0
        while now < 3_600_000 {
            if budget.allowsProbe(now: now) {
                budget.begin(now: now)
                now += duration
                spent += duration
                budget.end(now: now)
            }
            now += 100
        }
        #expect(spent * 20 <= 3_600_000 + 20 * duration)
    }

    @Test func `no probe begins during another`() {
        var budget = ProbeBudget()
        budget.begin(now: 0)
        #expect(!budget.allowsProbe(now: 1_000_000))
        budget.end(now: 1_000_000)
        budget.end(now: 1_000_001)
        #expect(!budget.allowsProbe(now: 1_000_002))
        #expect(budget.allowsProbe(now: 20_000_000))
    }
}
