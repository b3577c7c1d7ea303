import FixedMemory

/// The pause after a connection attempt that failed. It is as long as the attempt and up to half as long
/// again, because scanning stopped for the attempt.
///
/// An attempt for a message may skip one pause. Then the next attempt waits for both, so that scanning keeps
/// its share.
struct AttemptPause: BitwiseCopyable {
    private(set) var end = Instant.start
    /// Whether the attempt that ended last, or that runs, has skipped a pause.
    private var wasSkipped = false

    func isOver(now: Instant) -> Bool { now >= end }
    func maySkip(now: Instant) -> Bool { isOver(now: now) || !wasSkipped }

    mutating func recordStart(now: Instant) { wasSkipped = !isOver(now: now) }

    mutating func recordFailure(after took: Interval, now: Instant, jitter: UInt64) {
        // A pause that was skipped did not pass during the attempt.
        end = (wasSkipped ? end + took : now) + took + .milliseconds(jitter % (took.milliseconds / 2 + 1))
    }
}
