import FixedMemory

/// When a controller with one advertising set advertises our Exposure Notification identity: the last second
/// of every three. Phones listen for 4 s every few minutes, so each time they hear at least one whole turn.
///
/// A controller that cannot advertise while it scans only advertises for the last second of every three
/// (module `Radio`). There, every second one is Exposure Notification's.
public enum ExposureTurns {
    /// The time from one turn to the next, in which the other schemes have one slot.
    public static let cycle = Interval.seconds(3)
    public static let length = Interval.seconds(1)

    public static func isTurn(at now: Instant, advertisesByTurns: Bool) -> Bool {
        if advertisesByTurns { return now / cycle % 2 == 1 }
        return now % cycle >= cycle - length
    }

    public static func nextChange(after now: Instant) -> Instant {
        let start = now - now % cycle
        let turn = start + cycle - length
        return now < turn ? turn : start + cycle
    }

    /// The length of the other schemes' slots, including the Exposure Notification turns within them.
    public static func otherLength(advertisesByTurns: Bool) -> Interval {
        advertisesByTurns ? 2 * cycle : cycle
    }
}
