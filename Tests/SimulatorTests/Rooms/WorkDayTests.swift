import Testing

@testable import Simulator

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

    @Test func `a day that misses contacts, states too much, has holes or faults is complained about`() {
        let good = WorkDay(duty: .saver, visits: 20, hours: 3, seed: 5)
        func complaint(_ change: (inout WorkDay) -> Void) -> String? {
            var day = good
            change(&day)
            return WorkDaySummary(.saver, [day]).complaint
        }
        #expect(complaint { _ in } == nil)
        #expect(complaint { $0.contacts = [.init(seconds: 400, latencySeconds: nil)] } != nil)
        #expect(complaint { $0.listenPercent = 26 } != nil)
        #expect(complaint { $0.coveredPercent = 97 } != nil)
        #expect(complaint { $0.statedListenPercent = $0.scanListenPercent + 0.4 } != nil)
        #expect(complaint { $0.faultCount = 1 } != nil)
    }
}
