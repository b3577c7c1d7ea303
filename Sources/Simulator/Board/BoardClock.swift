import Agent
import FixedMemory

/// A board's monotonic clock and wall clock.
///
/// Fault model. Wall time may be missing: the board has no network and no battery for a clock. It may step
/// by any amount in either direction when something sets it, and its error is as large as it states.
/// Monotonic time runs a little fast or slow, as quartz does. It starts again when the board loses its
/// power, and never goes back. The agent must cope with all of this, because most boards have no clock of
/// their own.
public final class BoardClock {
    /// The drift of monotonic time in parts per million; positive if the clock is fast.
    public let driftPPM: Int64
    private let world: World
    private var bootTime: SimulatedTime
    private var skipped = SimulatedDuration.zero
    private var wallOffsetMilliseconds: Int64?
    private var wallErrorMilliseconds: UInt32 = .max
    /// The monotonic time at which the agent first runs after power-on.
    private static let start = Instant.start + .seconds(12)

    init(driftPPM: Int64, in world: World) {
        self.driftPPM = driftPPM
        self.world = world
        bootTime = world.now
    }

    func powerCameBack() {
        bootTime = world.now
        skipped = .zero
        wallOffsetMilliseconds = nil
    }

    /// Advances the clock by a time in which nothing else in the world moves, as when the board is
    /// suspended.
    package func skip(_ duration: SimulatedDuration) { skipped = skipped + duration }

    public var now: Instant { now(at: world.now) }

    public func now(at time: SimulatedTime) -> Instant {
        Self.start + .milliseconds(skipped.milliseconds + UInt64(countedMicroseconds(at: time)) / 1_000)
    }

    /// The simulated time at which monotonic time reaches `instant`.
    func time(of instant: Instant) -> SimulatedTime {
        let start = Self.start + .milliseconds(skipped.milliseconds)
        guard instant > start else { return bootTime }
        let wanted = (instant - start).milliseconds
        var time =
            bootTime + .milliseconds(wanted - min(wanted, wanted / 1_000 * UInt64(abs(driftPPM)) / 1_000))
        if driftPPM < 0 { time = bootTime + .milliseconds(wanted) }
        while true {
            let counted = countedMicroseconds(at: time)
            guard counted < Int64(wanted) * 1_000 else { return time }
            let missing = UInt64(Int64(wanted) * 1_000 - counted)
            // Drift is added once per whole second; within a second the clock counts every microsecond.
            let restOfSecond = 1_000_000 - (time - bootTime).microseconds % 1_000_000
            time += .microseconds(missing > 2_000_000 ? missing / 1_000 * 999 : min(missing, restOfSecond))
        }
    }

    private func countedMicroseconds(at time: SimulatedTime) -> Int64 {
        let elapsed = Int64((time - bootTime).microseconds)
        return elapsed + elapsed / 1_000_000 * driftPPM
    }

    // MARK: Wall time

    /// Sets wall time and its error bound, as a network time service does.
    public func setWallClock(_ time: WallClockTime, errorMilliseconds: UInt32) {
        wallOffsetMilliseconds = Int64(time.milliseconds) - Int64(now.milliseconds)
        wallErrorMilliseconds = errorMilliseconds
    }

    public func stepWallClock(byMilliseconds step: Int64) {
        if let offset = wallOffsetMilliseconds { wallOffsetMilliseconds = offset + step }
    }

    public func loseWallClock() { wallOffsetMilliseconds = nil }

    public var wallClock: WallClockReading? {
        guard let offset = wallOffsetMilliseconds else { return nil }
        return WallClockReading(
            time: WallClockTime(clamping: Int64(now.milliseconds) + offset),
            errorMilliseconds: wallErrorMilliseconds)
    }
}

/// The view of the board's clock that the agent gets.
public struct SimulatedClock: AgentClock {
    let clock: BoardClock

    public var now: Instant { clock.now }
    public var wallClock: WallClockReading? { clock.wallClock }
}
