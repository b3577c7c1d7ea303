/// Whether a stream from a controller makes so little sense that its board must do something about it:
/// docs/radio-supervisor.md, "Faults".
struct GarbleWatch {
    private static let windowMilliseconds: UInt64 = 10_000
    private static let skippedByteLimit: UInt64 = 500
    private static let malformedEventLimit: UInt64 = 50
    private static let resolutionMilliseconds: UInt64 = 100

    /// What there was in all at some times of the last ten seconds, oldest first.
    private var samples: [(milliseconds: UInt64, skippedBytes: UInt64, malformedEvents: UInt64)] = []

    /// - Returns: whether more than is allowed came in some ten seconds up to now.
    mutating func isOverLimit(
        skippedBytes: UInt64, malformedEvents: UInt64, nowMilliseconds now: UInt64
    ) -> Bool {
        samples.removeAll { $0.milliseconds + Self.windowMilliseconds < now }
        if now >= (samples.last?.milliseconds ?? 0) + Self.resolutionMilliseconds || samples.isEmpty {
            samples.append((now, skippedBytes, malformedEvents))
        }
        guard let oldest = samples.first, skippedBytes >= oldest.skippedBytes else {
            // Another agent counts anew.
            samples = []
            return false
        }
        return skippedBytes - oldest.skippedBytes > Self.skippedByteLimit
            || malformedEvents - oldest.malformedEvents > Self.malformedEventLimit
    }
}
