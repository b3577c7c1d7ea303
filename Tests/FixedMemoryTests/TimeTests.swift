import FixedMemory
import Testing

struct TimeTests {
    private let start = Instant(milliseconds: 5_000)

    @Test("An instant and an interval make a later instant")
    func addsAnInterval() {
        #expect(start + .seconds(2) == Instant(milliseconds: 7_000))
        #expect(start + .seconds(2) - start == .milliseconds(2_000))
    }

    @Test("The time since a later instant is zero")
    func doesNotRunBackwards() {
        #expect(start.interval(since: start + .minutes(1)) == .zero)
        #expect((start + .minutes(1)).interval(since: start) == .seconds(60))
    }

    @Test("No instant is later than the distant future")
    func endsInTheDistantFuture() {
        #expect(start < .distantFuture)
        #expect(!(Instant.distantFuture < Instant(milliseconds: .max)))
    }

    @Test("Units of time are those of the clock on the wall")
    func hasTheUsualUnits() {
        #expect(Interval.days(1) == .hours(24))
        #expect(Interval.hours(1) == .minutes(60))
        #expect(Interval.minutes(1) == .seconds(60))
        #expect(Interval.seconds(1) == .milliseconds(1_000))
    }

    @Test("An offset leads from monotonic time to wall-clock time within a boot")
    func leadsToTheWallClock() {
        let noon = WallClockTime(seconds: 1_795_608_000)
        let offset = ClockOffset(of: noon, at: start)
        #expect(start + .seconds(30) + offset == noon + .seconds(30))
    }

    @Test("A wall clock that reads before the board's start, or any value at all, does not trap")
    func survivesAnyClock() {
        let late = ClockOffset(of: WallClockTime(milliseconds: 0), at: start)
        #expect(start + late == WallClockTime(milliseconds: 0))
        let mad = ClockOffset(of: WallClockTime(milliseconds: .max), at: start)
        #expect(start + mad == WallClockTime(milliseconds: .max))
    }
}
