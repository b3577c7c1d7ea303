import EncounterLog
import FixedMemory

/// The board's clocks as the agent's steps use them: it notices when nobody called for a while, and anchors
/// monotonic time to wall-clock time in the log.
struct StepClock<Clock: AgentClock> {
    let clock: Clock
    private var nextAnchorMilliseconds: UInt64
    private var lastStepMilliseconds: UInt64

    private static var anchorIntervalMilliseconds: UInt64 { 600_000 }
    /// A board that is awake has taken a step by now, however busy it is.
    private static var absenceMilliseconds: UInt64 { 3_000 }

    init(_ clock: Clock, nowMilliseconds now: UInt64) {
        self.clock = clock
        nextAnchorMilliseconds = now
        lastStepMilliseconds = now
    }

    var monotonicMilliseconds: UInt64 { clock.monotonicMilliseconds }

    /// Notes a step.
    /// - Returns: true if the last step is so long ago that the board was asleep or the process stopped.
    ///   Packets that have come in the meantime are late, and some are lost.
    mutating func step(nowMilliseconds now: UInt64) -> Bool {
        defer { lastStepMilliseconds = now }
        return now > lastStepMilliseconds + Self.absenceMilliseconds
    }

    /// The anchor for the log, if one is due and the clock is set.
    mutating func takeAnchor(nowMilliseconds now: UInt64) -> AnchorEntry? {
        guard now >= nextAnchorMilliseconds else { return nil }
        nextAnchorMilliseconds = now + Self.anchorIntervalMilliseconds
        guard let reading = clock.wallClock else { return nil }
        return AnchorEntry(
            monotonicMilliseconds: now, wallClockMilliseconds: reading.milliseconds,
            errorMilliseconds: reading.errorMilliseconds, source: .systemClock)
    }

    /// Milliseconds since 1970 UTC; nil while nobody knows.
    /// - Parameter toldOffset: what to add to monotonic time, as the last sync has told.
    func wallClockMilliseconds(toldOffset: UInt64?, nowMilliseconds now: UInt64) -> UInt64? {
        if let toldOffset { return now &+ toldOffset }
        return clock.wallClock?.milliseconds
    }
}
