import FixedMemory
import Testing

struct TimeTests {
    private let start = Instant(milliseconds: 5_000)

    @Test func `an instant and an interval make a later instant`() {
        #expect(start + .seconds(2) == Instant(milliseconds: 7_000))
        #expect(start + .seconds(2) - start == .milliseconds(2_000))
    }

    @Test func `the time since a later instant is zero`() {
        #expect(start.interval(since: start + .minutes(1)) == .zero)
        #expect((start + .minutes(1)).interval(since: start) == .seconds(60))
    }

    @Test func `no instant is later than the distant future`() {
        #expect(start < .distantFuture)
        #expect(!(Instant.distantFuture < Instant(milliseconds: .max)))
    }

    @Test func `units of time are those of the clock on the wall`() {
        #expect(Interval.days(1) == .hours(24))
        #expect(Interval.hours(1) == .minutes(60))
        #expect(Interval.minutes(1) == .seconds(60))
        #expect(Interval.seconds(1) == .milliseconds(1_000))
    }

    @Test func `an offset leads from monotonic time to wall-clock time within a boot`() {
        let noon = WallClockTime(seconds: 1_795_608_000)
        let offset = ClockOffset(of: noon, at: start)
        #expect(start + .seconds(30) + offset == noon + .seconds(30))
    }

    @Test func `a wall clock that reads before the board's start, or any value at all, does not trap`() {
        let late = ClockOffset(of: WallClockTime(milliseconds: 0), at: start)
        #expect(start + late == WallClockTime(milliseconds: 0))
        let mad = ClockOffset(of: WallClockTime(milliseconds: .max), at: start)
        #expect(start + mad == WallClockTime(milliseconds: .max))
    }
}
