import EncounterLog
import FixedMemory

/// Rooms that the agent takes for empty, although its radio may be deaf.
extension RadioSupervisor {
    /// The next reset of a radio in a room that was assumed empty.
    struct QuietCheck: BitwiseCopyable {
        let fault: RadioFaultKind
        var at: Instant
        var pause: Interval

        /// An assumed empty room may be a deaf radio. So the radio is reset after these pauses, each twice as
        /// long as the one before.
        static let pauses = (first: Interval.minutes(15), longest: Interval.hours(4))
    }

    /// Records that expected peers fell silent together and stay silent: the controller is reset once, unless
    /// it has links, and then every few hours for as long as nobody is heard.
    package mutating func recordDeparture(hasLinks: Bool, now: Instant) {
        quiet = now
        let pause = QuietCheck.pauses.longest
        quietCheck = QuietCheck(fault: .silence, at: hasLinks ? now + pause : now, pause: pause)
        guard hasLinks else { return }
        status.state = .quiet
        waitingEntry = RadioEntry(
            instant: now, event: .assumedEmpty, fault: .silence, rung: .none, detail: 0)
    }

    mutating func nextQuietCheck(now: Instant) -> Action? {
        guard var check = quietCheck, up != nil, now >= check.at else { return nil }
        check.pause = min(check.pause * 2, QuietCheck.pauses.longest)
        check.at = now + check.pause
        quietCheck = check
        waitingEntry = RadioEntry(
            instant: now, event: .assumedEmpty, fault: check.fault, rung: .reset, detail: 1)
        return take(.reset, now: now)
    }
}
