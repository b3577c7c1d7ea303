import FixedMemory

/// A clock for the agent made from a capture's times; it never goes back. Where the capture's clock was set
/// back, the times after the step are shifted so that time continues. Durations on both sides of the step
/// stay right. A record that is a little older than the one before it is only out of order, as `btmon -w`
/// writes some: it gets the time of that one, and nothing is shifted.
///
/// A record that is far from the previous one only counts if the next record agrees. Otherwise one damaged
/// time would shift all later ones.
struct CaptureClock: BitwiseCopyable {
    /// A time more than a day from the previous one, in either direction, needs the next record's agreement.
    private static let longestStep = Interval.days(1)
    /// A smaller step back is disorder, and not a clock that was set.
    private static let disorder = Interval.seconds(5)
    /// 1 January 2100: a later time is always rejected.
    private static let end = Instant(milliseconds: 4_102_444_800_000)
    /// The upper limit for a clock that was set back again and again, far below overflow.
    private static let latest = Instant(milliseconds: 1 << 60)

    private(set) var now = Instant.start
    private(set) var stepsBack: UInt32 = 0
    /// The number of records whose time was rejected; they get the time of the previous record.
    private(set) var wildTimes: UInt32 = 0
    /// Whether a record's time has been accepted.
    private(set) var isSet = false
    private var shift = Interval.zero
    /// The time that the previous record stated, if it was rejected for now.
    private var suspect: Instant?

    mutating func advance(unixMicroseconds: UInt64) {
        let stamp = Instant(milliseconds: unixMicroseconds / 1000)
        guard isBelieved(stamp) else {
            wildTimes &+= 1
            return
        }
        isSet = true
        var time = stamp &+ shift
        if time < now {
            if now - time >= Self.disorder {
                stepsBack &+= 1
                shift = now.interval(since: stamp)
            }
            time = now
        }
        now = min(time, Self.latest)
    }

    private mutating func isBelieved(_ stamp: Instant) -> Bool {
        let suspect = suspect
        self.suspect = nil
        guard stamp < Self.end else { return false }
        let time = stamp &+ shift
        let step = time > now ? time - now : now - time
        guard isSet, step > Self.longestStep else { return true }
        if let suspect, stamp >= suspect, stamp - suspect <= Self.longestStep {
            // The clock was set, or there was a long pause, so the previous record was right.
            wildTimes &-= 1
            return true
        }
        self.suspect = stamp
        return false
    }
}
