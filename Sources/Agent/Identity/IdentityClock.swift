import FixedMemory

/// The wall-clock time for identities, from the best source available now. Without any source, the monotonic
/// clock continues the last known time.
///
/// The best source is a system clock with a known error, because a time service disciplines it. The next is
/// the time of the last sync. The last is a system clock without a known error: its time may come from a
/// file's date, restored at boot.
struct IdentityClock: BitwiseCopyable {
    /// The offset from monotonic to wall-clock time; nil while it is unknown.
    private var offset: ClockOffset?

    /// - Returns: nil while the time is unknown.
    mutating func time(_ surroundings: IdentitySurroundings) -> WallClockTime? {
        let (now, synced) = (surroundings.now, surroundings.syncedOffset)
        if let system = surroundings.system, system.errorMilliseconds != .max || synced == nil {
            offset = ClockOffset(of: system.time, at: now)
        } else if let synced {
            offset = synced
        }
        return offset.map { now + $0 }
    }
}
