import FixedMemory

/// Detects a controller stream that is garbled enough that the board must react: docs/radio-supervisor.md,
/// "Faults".
struct GarbleWatch {
    private static let window = Interval.seconds(10)
    private static let skippedByteLimit: UInt64 = 500
    private static let malformedEventLimit: UInt64 = 50
    private static let resolution = Interval.milliseconds(100)

    /// Total counts at some times within the last ten seconds, oldest first.
    private var samples: [(instant: Instant, skippedBytes: UInt64, malformedEvents: UInt64)] = []

    /// Records the counts and compares them with the limits.
    ///
    /// - Returns: Whether the last ten seconds exceeded a limit.
    mutating func isOverLimit(skippedBytes: UInt64, malformedEvents: UInt64, now: Instant) -> Bool {
        samples.removeAll { $0.instant + Self.window < now }
        if now >= (samples.last?.instant ?? .start) + Self.resolution || samples.isEmpty {
            samples.append((now, skippedBytes, malformedEvents))
        }
        guard let oldest = samples.first, skippedBytes >= oldest.skippedBytes else {
            // A new agent starts its counts at zero.
            samples = []
            return false
        }
        return skippedBytes - oldest.skippedBytes > Self.skippedByteLimit
            || malformedEvents - oldest.malformedEvents > Self.malformedEventLimit
    }
}
