import Peers
import Testing

@Suite struct ProbeBudgetTests {
    @Test("HP-C20: at most ten candidates a minute are probed")
    func quickProbesAreTenAMinute() {
        var budget = ProbeBudget()
        var probes = 0
        for now in 0..<60_000 as Range<UInt64> where budget.allowsProbe(nowMilliseconds: now) {
            probes += 1
            budget.begin(nowMilliseconds: now)
            budget.end(nowMilliseconds: now + 100)
        }
        #expect(probes == 10)
    }

    @Test(
        "HP-C20, HP-C24: probes take a twentieth of the time at most",
        arguments: [400, 1_000, 2_500, 7_000] as [UInt64])
    func slowProbesAreRare(_ duration: UInt64) {
        var budget = ProbeBudget()
        var spent: UInt64 = 0
        var now: UInt64 = 0
        while now < 3_600_000 {
            if budget.allowsProbe(nowMilliseconds: now) {
                budget.begin(nowMilliseconds: now)
                now += duration
                spent += duration
                budget.end(nowMilliseconds: now)
            }
            now += 100
        }
        #expect(spent * 20 <= 3_600_000 + 20 * duration)
    }

    @Test func `no probe begins during another`() {
        var budget = ProbeBudget()
        budget.begin(nowMilliseconds: 0)
        #expect(!budget.allowsProbe(nowMilliseconds: 1_000_000))
        budget.end(nowMilliseconds: 1_000_000)
        budget.end(nowMilliseconds: 1_000_001)
        #expect(!budget.allowsProbe(nowMilliseconds: 1_000_002))
        #expect(budget.allowsProbe(nowMilliseconds: 20_000_000))
    }
}
