import Simulator
import Testing

/// One working day for each value of `radio.duty`. `make duty` runs more of them.
@Suite struct WorkDayTests {
    @Test(arguments: BoardDuty.allCases)
    func `a board finds nearly all contacts of five minutes, and its log states how much it listened`(
        _ duty: BoardDuty
    ) {
        let summary = WorkDaySummary(duty, [WorkDay(duty: duty, visits: 40, hours: 6, seed: 5)])
        #expect(summary.complaint == nil)
        #expect(summary.contactCount > 15)
        #expect(summary.mean(\.coveredPercent) > 98)
    }

    @Test func `each duty listens and wakes less than the one before`() {
        let days = BoardDuty.allCases.map { WorkDay(duty: $0, visits: 20, hours: 3, seed: 5) }
        for (more, less) in zip(days, days.dropFirst()) {
            #expect(less.listenPercent < more.listenPercent * 0.75)
            #expect(less.wakesPerSecond < more.wakesPerSecond)
        }
    }

    @Test func `a board alone listens for a twentieth of the time with saver`() {
        let day = WorkDay(duty: .saver, visits: 0, hours: 2, seed: 5)
        #expect((4.5...5.5).contains(day.listenPercent))
        #expect(day.faultCount == 0)
    }

    @Test func `a day in which contacts are missed, or that states too much, is complained about`() {
        let good = WorkDay(duty: .saver, visits: 20, hours: 3, seed: 5)
        #expect(WorkDaySummary(.saver, [good]).complaint == nil)
        #expect(
            WorkDaySummary(.saver, [WorkDay(duty: .continuous, visits: 0, hours: 1, seed: 5)]).complaint
                != nil)
        #expect(WorkDaySummary(.saver, []).complaint != nil)
    }
}
