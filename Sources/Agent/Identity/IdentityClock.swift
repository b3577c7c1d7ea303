/// What time it is, for identities: as good as anybody has told, and carried on by the monotonic clock.
///
/// The best is a system clock that knows its own error, for somebody disciplines it. Then comes what a sync has told.
/// The worst is a system clock that has been set and no more: it may be a file's date, restored at boot.
struct IdentityClock: BitwiseCopyable {
    /// What to add to monotonic time.
    private var offsetMilliseconds: UInt64?

    /// - Parameters:
    ///   - system: the system's clock, if it has been set.
    ///   - toldOffset: what to add to monotonic time, as the last sync has told.
    /// - Returns: milliseconds since 1970 UTC; nil while nobody has told.
    mutating func milliseconds(
        system: WallClockReading?, toldOffset: UInt64?, nowMilliseconds now: UInt64
    ) -> UInt64? {
        if let system, system.errorMilliseconds != .max || toldOffset == nil {
            offsetMilliseconds = system.milliseconds &- now
        } else if let toldOffset {
            offsetMilliseconds = toldOffset
        }
        return offsetMilliseconds.map { now &+ $0 }
    }
}
