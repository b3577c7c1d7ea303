import FixedMemory

/// The slots of our Exposure Notification identity on a controller with one advertising set: the last second
/// of every three. Phones listen for 4 s every few minutes, so each time they hear at least one whole slot.
///
/// A controller that cannot advertise while it scans advertises only in the last second of every three
/// (module `Radio`). There, every second one is Exposure Notification's.
public enum ExposureSlots {
    /// The time from one slot to the next, in which the other schemes have one slot.
    public static let cycle = Interval.seconds(3)
    public static let length = Interval.seconds(1)

    public static func isSlot(at now: Instant, isTimeMultiplexed: Bool) -> Bool {
        if isTimeMultiplexed { return now / cycle % 2 == 1 }
        return now % cycle >= cycle - length
    }

    public static func nextChange(after now: Instant) -> Instant {
        let start = now - now % cycle
        let slot = start + cycle - length
        return now < slot ? slot : start + cycle
    }

    /// The length of the other schemes' slots, including the Exposure Notification slots within them.
    public static func otherLength(isTimeMultiplexed: Bool) -> Interval {
        isTimeMultiplexed ? 2 * cycle : cycle
    }
}
