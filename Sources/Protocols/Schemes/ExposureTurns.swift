/// When a controller with one advertising set advertises our Exposure Notification identity: the last second
/// of every three. Phones listen for 4 s every few minutes, so each time they hear at least one whole turn.
///
/// A controller that cannot advertise while it scans only advertises for the last second of every three
/// (module `Radio`). There, every second one is Exposure Notification's.
public enum ExposureTurns {
    /// The time from one turn to the next, in which the other schemes have one slot.
    public static let cycleMilliseconds: UInt64 = 3_000
    public static let milliseconds: UInt64 = 1_000

    public static func isTurn(atMilliseconds now: UInt64, advertisesByTurns: Bool) -> Bool {
        if advertisesByTurns { return now / cycleMilliseconds % 2 == 1 }
        return now % cycleMilliseconds >= cycleMilliseconds - milliseconds
    }

    public static func nextChange(after now: UInt64) -> UInt64 {
        let start = now - now % cycleMilliseconds
        let turn = start + cycleMilliseconds - milliseconds
        return now < turn ? turn : start + cycleMilliseconds
    }

    /// The length of the other schemes' slots, including the Exposure Notification turns within them.
    public static func otherMilliseconds(advertisesByTurns: Bool) -> UInt64 {
        advertisesByTurns ? 2 * cycleMilliseconds : cycleMilliseconds
    }
}
