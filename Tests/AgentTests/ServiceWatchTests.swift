import FixedMemory
import Radio
import Testing

@testable import Agent

/// When the service manager starts an agent again.
@Suite struct ServiceWatchTests {
    /// The judgement for each pair of a minute and a condition, in that order.
    private func judgements(
        giveUpMinutes: UInt16 = 10, _ course: [(minute: UInt64, condition: AgentCondition)]
    ) -> [Bool] {
        var watch = ServiceWatch()
        return course.map { minute, condition in
            watch.isWell(condition, giveUpMinutes: giveUpMinutes, now: .start + .minutes(minute))
        }
    }

    private func condition(_ radio: RadioStatus.State, isLogWritten: Bool = true) -> AgentCondition {
        AgentCondition(radio: radio, isLogWritten: isLogWritten, isClockKnown: true)
    }

    private func minutes(_ range: ClosedRange<UInt64>, _ condition: AgentCondition)
        -> [(minute: UInt64, condition: AgentCondition)]
    {
        range.map { ($0, condition) }
    }

    @Test func `an agent with a radio that works is well`() {
        #expect(judgements(minutes(0...60, condition(.up))).allSatisfy { $0 })
    }

    @Test func `an agent that has not given a lost radio up in time is started again`() {
        let (up, down) = (condition(.up), condition(.recovering))
        let course = [(0, up), (1, down), (12, down), (13, down), (14, up)].map {
            (minute: UInt64($0), condition: $1)
        }
        #expect(judgements(course) == [true, true, true, false, true])
    }

    @Test func `a controller that was never there is waited for`() {
        #expect(judgements(minutes(0...600, condition(.recovering))).allSatisfy { $0 })
    }

    @Test func `an agent that shall never give the radio up is left alone`() {
        let course = minutes(0...0, condition(.up)) + minutes(1...600, condition(.recovering))
        #expect(judgements(giveUpMinutes: 0, course).allSatisfy { $0 })
    }

    @Test func `an agent whose medium refuses the log for ten minutes is started again`() {
        let refuses = condition(.up, isLogWritten: false)
        let course = minutes(0...0, refuses) + minutes(9...10, refuses) + minutes(11...11, condition(.up))
        #expect(judgements(course) == [true, true, false, true])
    }
}
