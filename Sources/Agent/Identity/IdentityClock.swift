import FixedMemory

/// What time it is, for identities: as good as anybody has told, and carried on by the monotonic clock.
///
/// The best is a system clock that knows its own error, for somebody disciplines it. Then comes what a sync
/// has told. The worst is a system clock that has been set and no more: it may be a file's date, restored
/// at boot.
struct IdentityClock: BitwiseCopyable {
    /// What to add to monotonic time.
    private var offset: ClockOffset?

    /// - Returns: nil while nobody has told.
    mutating func time(_ surroundings: IdentitySurroundings) -> WallClockTime? {
        let (now, told) = (surroundings.now, surroundings.toldOffset)
        if let system = surroundings.system, system.errorMilliseconds != .max || told == nil {
            offset = ClockOffset(of: system.time, at: now)
        } else if let told {
            offset = told
        }
        return offset.map { now + $0 }
    }
}
