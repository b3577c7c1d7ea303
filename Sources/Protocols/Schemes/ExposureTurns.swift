/// When a controller with one advertising set says who we are in Exposure Notification: the last second of each three. Its
/// phones listen for 4 s every few minutes, so whenever one listens, it hears at least one whole turn.
///
/// A controller that cannot advertise while it scans advertises for the last second of each three (``Roles``): there every
/// other one is Exposure Notification's.
public enum ExposureTurns {
    /// From one turn to the next, in which the others have one turn.
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

    /// How long each of the others has its turn, those of Exposure Notification in it included.
    public static func otherMilliseconds(advertisesByTurns: Bool) -> UInt64 {
        advertisesByTurns ? 2 * cycleMilliseconds : cycleMilliseconds
    }
}
