import EncounterLog
import FixedMemory

/// Decides which of the battery's readings belong into the log. A program on the board reports the battery
/// each minute, and most of its readings say nothing new.
struct BatteryKeeper: BitwiseCopyable {
    /// The newest reading; nil if nothing has reported a battery.
    private(set) var reading: BatteryReading?
    private var logged: BatteryReading?
    private var loggedAt = Instant.start

    /// Readings that differ in nothing that matters are logged this often at most, so that a charge that
    /// flickers between two percentages does not fill the log.
    private static let interval = Interval.seconds(30)

    /// - Returns: whether the reading is to be logged.
    mutating func take(_ new: BatteryReading, now: Instant) -> Bool {
        reading = new
        guard let logged else { return log(new, now: now) }
        if new.isLow != logged.isLow || new.state != logged.state { return log(new, now: now) }
        guard new.percent != logged.percent, now >= loggedAt + Self.interval else { return false }
        return log(new, now: now)
    }

    private mutating func log(_ reading: BatteryReading, now: Instant) -> Bool {
        logged = reading
        loggedAt = now
        return true
    }
}
