import Agent

/// A board's clocks.
///
/// Fault model. Wall time may be missing (no network, no battery behind the clock), may step by any amount either way
/// when somebody sets it, and is off by an error that it states. Monotonic time runs a little fast or slow, as quartz
/// does, and begins anew when the board loses its power; it never goes back. The agent must live with all of it, for
/// most boards have no clock of their own.
public final class BoardClock {
    /// Parts per million by which monotonic time is fast.
    public let driftPPM: Int64
    private let world: World
    private var bootTime: SimulatedTime
    private var wallOffsetMilliseconds: Int64?
    private var wallErrorMilliseconds: UInt32 = .max
    /// What monotonic time is when the agent first sees it after power-on.
    private static let startMilliseconds: UInt64 = 12_000

    init(driftPPM: Int64, in world: World) {
        self.driftPPM = driftPPM
        self.world = world
        bootTime = world.now
    }

    func powerCameBack() {
        bootTime = world.now
        wallOffsetMilliseconds = nil
    }

    public var monotonicMilliseconds: UInt64 { monotonicMilliseconds(at: world.now) }

    public func monotonicMilliseconds(at time: SimulatedTime) -> UInt64 {
        Self.startMilliseconds + UInt64(countedMicroseconds(at: time)) / 1_000
    }

    /// When monotonic time reaches `milliseconds`.
    func time(ofMonotonicMilliseconds milliseconds: UInt64) -> SimulatedTime {
        guard milliseconds > Self.startMilliseconds else { return bootTime }
        let wanted = milliseconds - Self.startMilliseconds
        var time =
            bootTime + .milliseconds(wanted - min(wanted, wanted / 1_000 * UInt64(abs(driftPPM)) / 1_000))
        if driftPPM < 0 { time = bootTime + .milliseconds(wanted) }
        while true {
            let counted = countedMicroseconds(at: time)
            guard counted < Int64(wanted) * 1_000 else { return time }
            let missing = UInt64(Int64(wanted) * 1_000 - counted)
            // Drift comes with each whole second; in between all microseconds are counted.
            let restOfSecond = 1_000_000 - (time - bootTime).microseconds % 1_000_000
            time += .microseconds(missing > 2_000_000 ? missing / 1_000 * 999 : min(missing, restOfSecond))
        }
    }

    private func countedMicroseconds(at time: SimulatedTime) -> Int64 {
        let elapsed = Int64((time - bootTime).microseconds)
        return elapsed + elapsed / 1_000_000 * driftPPM
    }

    // MARK: Wall time

    /// Sets it, as network time does.
    public func setWallClock(milliseconds: UInt64, errorMilliseconds: UInt32) {
        wallOffsetMilliseconds = Int64(milliseconds) - Int64(monotonicMilliseconds)
        wallErrorMilliseconds = errorMilliseconds
    }

    public func stepWallClock(byMilliseconds step: Int64) {
        if let offset = wallOffsetMilliseconds { wallOffsetMilliseconds = offset + step }
    }

    public func loseWallClock() { wallOffsetMilliseconds = nil }

    public var wallClock: WallClockReading? {
        guard let offset = wallOffsetMilliseconds else { return nil }
        return WallClockReading(
            milliseconds: UInt64(max(0, Int64(monotonicMilliseconds) + offset)),
            errorMilliseconds: wallErrorMilliseconds)
    }
}

/// The clock as the agent sees it.
public struct SimulatedClock: AgentClock {
    let clock: BoardClock

    public var monotonicMilliseconds: UInt64 { clock.monotonicMilliseconds }
    public var wallClock: WallClockReading? { clock.wallClock }
}
