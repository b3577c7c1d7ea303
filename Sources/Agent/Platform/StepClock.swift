import EncounterLog
import FixedMemory

/// The board's clocks as the agent's steps use them: it notices when nobody called for a while, and anchors
/// monotonic time to wall-clock time in the log.
struct StepClock<Clock: AgentClock> {
    let clock: Clock
    private var nextAnchor: Instant
    private var lastStep: Instant

    private static var anchorInterval: Interval { .minutes(10) }
    /// A board that is awake has taken a step by now, however busy it is.
    private static var absence: Interval { .seconds(3) }

    init(_ clock: Clock, now: Instant) {
        self.clock = clock
        nextAnchor = now
        lastStep = now
    }

    var now: Instant { clock.now }

    /// Records a step.
    /// - Returns: true if the last step is so long ago that the board was asleep or the process stopped.
    ///   Packets that have come in the meantime are late, and some are lost.
    mutating func step(now: Instant) -> Bool {
        defer { lastStep = now }
        return now > lastStep + Self.absence
    }

    /// The anchor for the log, if one is due and the clock is set.
    mutating func takeAnchor(now: Instant) -> AnchorEntry? {
        guard now >= nextAnchor else { return nil }
        nextAnchor = now + Self.anchorInterval
        guard let reading = clock.wallClock else { return nil }
        return AnchorEntry(
            instant: now, wallClock: reading.time,
            errorMilliseconds: reading.errorMilliseconds, source: .systemClock)
    }

    /// The wall-clock time; nil while it is unknown.
    /// - Parameter syncedOffset: the offset of wall-clock from monotonic time that the last sync set; nil if
    ///   none did.
    func wallClock(syncedOffset: ClockOffset?, now: Instant) -> WallClockTime? {
        if let syncedOffset { return now + syncedOffset }
        return clock.wallClock?.time
    }
}
