import FlashSimulator
import Schemes
import Simulator
import Testing

@testable import Outbreaks

/// The content of an outbreak's plan, and the verdict on findings. `make sim-outbreak` shows that every
/// meeting is found.
@Suite struct OutbreakTests {
    private func plan(seed: UInt64) -> OutbreakPlan {
        var random = RandomStream(seed: seed)
        return OutbreakPlan(wearerCount: 9, days: 28, infectiousDays: 7, random: &random)
    }

    @Test(arguments: 1...20)
    func `A wearer has one meeting at a time`(seed: UInt64) {
        let plan = plan(seed: seed)
        for number in 0..<9 {
            let own = plan.meetings.filter { $0.wearers.contains(number) }
            #expect(zip(own, own.dropFirst()).allSatisfy { $0.end <= $1.start }, "wearer \(number)")
        }
    }

    @Test(arguments: 1...20)
    func `Meetings with the patient agree with the kind of acquaintance`(seed: UInt64) {
        let plan = plan(seed: seed)
        for (number, acquaintance) in zip(1..., plan.acquaintances) {
            let reported = plan.meetings(withPatientOf: number, fromDay: plan.reportedDays.lowerBound)
            let any = plan.meetings(withPatientOf: number, fromDay: 0)
            #expect(reported.isEmpty == (acquaintance != .met), "wearer \(number)")
            #expect(any.isEmpty == (acquaintance == .metAtSecondHand || acquaintance == .stranger))
        }
    }

    private func findings(_ plan: OutbreakPlan) -> [Finding] {
        (1..<9).flatMap { number in
            plan.meetings(withPatientOf: number, fromDay: plan.reportedDays.lowerBound).map {
                Finding(wearer: number, seconds: Outbreak.seconds(at: $0.start) + 30)
            }
        }
    }

    @Test func `A verdict holds if each meeting was found, and nothing else`() {
        let plan = plan(seed: 1)
        var verdict = OutbreakTrial.judge(findings(plan), .herald, plan)
        #expect(verdict.holds)
        for place in [
            \OutbreakTrial.Verdict.expiredFindingCount, \.forgottenFindingCount, \.erasedFindingCount,
        ] {
            verdict[keyPath: place] = 1
            #expect(!verdict.holds)
            verdict[keyPath: place] = 0
        }
        #expect(verdict.holds)
    }

    @Test func `Sonar's patient reports the contacts of the last 28 days, the day of the report included`() {
        #expect(SchemeID.sonar.firstDay(plan(seed: 1)) == 1)
        #expect(SchemeID.herald.firstDay(plan(seed: 1)) == 21)
    }

    @Test func `A meeting that was not found is missed`() {
        let plan = plan(seed: 1)
        let verdict = OutbreakTrial.judge(Array(findings(plan).dropFirst()), .herald, plan)
        #expect(verdict.missedCount == 1)
        #expect(!verdict.holds)
    }

    @Test func `An exposure without a meeting is false, and alarms a bystander`() throws {
        let plan = plan(seed: 1)
        let found = findings(plan)
        let stranger = 1 + (try #require(plan.acquaintances.firstIndex(of: .stranger)))
        let verdict = OutbreakTrial.judge(
            found + [Finding(wearer: stranger, seconds: found[0].seconds)], .herald, plan)
        #expect(verdict.falseCount == 1)
        #expect(verdict.alarmedBystanderCount == 1)
        #expect(!verdict.holds)
    }
}
