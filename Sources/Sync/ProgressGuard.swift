import FixedMemory

/// Ends a session that does not get on: a board that sends one byte per answer would keep it for ever.
struct ProgressGuard {
    /// Even a line at 9,600 bit/s carries ten times as much.
    static let leastByteCount = 4_096
    static let window = Interval.minutes(1)

    private var windowStart: Instant
    private var byteCount = 0

    init(now: Instant) { windowStart = now }

    mutating func add(_ count: Int, now: Instant) throws(SyncError) {
        byteCount += count
        guard now >= windowStart + Self.window else { return }
        guard byteCount >= Self.leastByteCount else { throw .overLimit(.tooSlow) }
        windowStart = now
        byteCount = 0
    }
}
