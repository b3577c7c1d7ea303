/// What time it is, for identities: as good as anybody has told, and carried on by the monotonic clock.
///
/// The best is a system clock that knows its own error, for somebody disciplines it. Then comes what a sync
/// has told. The worst is a system clock that has been set and no more: it may be a file's date, restored
/// at boot.
struct IdentityClock: BitwiseCopyable {
    /// What to add to monotonic time.
    private var offsetMilliseconds: UInt64?

    /// - Returns: milliseconds since 1970 UTC; nil while nobody has told.
    mutating func milliseconds(_ surroundings: IdentitySurroundings) -> UInt64? {
        let (now, told) = (surroundings.nowMilliseconds, surroundings.toldOffsetMilliseconds)
        if let system = surroundings.system, system.errorMilliseconds != .max || told == nil {
            offsetMilliseconds = system.milliseconds &- now
        } else if let told {
            offsetMilliseconds = told
        }
        return offsetMilliseconds.map { now &+ $0 }
    }
}
