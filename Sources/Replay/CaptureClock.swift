/// A clock for the agent made from a capture's times; it never goes back. Where the capture's clock was set
/// back, the times after the step are shifted so that time continues. Durations on both sides of the step
/// stay right.
///
/// A record that is far from the previous one only counts if the next record agrees. Otherwise one damaged
/// time would shift all later ones.
struct CaptureClock: BitwiseCopyable {
    /// A time more than a day from the previous one, in either direction, needs the next record's agreement.
    private static let longestStepMilliseconds: UInt64 = 24 * 3_600_000
    /// 1 January 2100: a later time is always rejected.
    private static let endMilliseconds: UInt64 = 4_102_444_800_000
    /// The upper limit for a clock that was set back again and again, far below overflow.
    private static let latestMilliseconds: UInt64 = 1 << 60

    private(set) var nowMilliseconds: UInt64 = 0
    private(set) var stepsBack: UInt32 = 0
    /// The number of records whose time was rejected; they get the time of the previous record.
    private(set) var wildTimes: UInt32 = 0
    /// Whether a record's time has been accepted.
    private(set) var isSet = false
    private var offsetMilliseconds: UInt64 = 0
    /// The time that the previous record stated, if it was rejected for now.
    private var doubtedMilliseconds: UInt64?

    mutating func advance(unixMicroseconds: UInt64) {
        let stamp = unixMicroseconds / 1000
        guard isBelieved(stamp) else {
            wildTimes &+= 1
            return
        }
        isSet = true
        var time = stamp &+ offsetMilliseconds
        if time < nowMilliseconds {
            stepsBack &+= 1
            offsetMilliseconds = nowMilliseconds - min(stamp, nowMilliseconds)
            time = nowMilliseconds
        }
        nowMilliseconds = min(time, Self.latestMilliseconds)
    }

    private mutating func isBelieved(_ stamp: UInt64) -> Bool {
        let doubted = doubtedMilliseconds
        doubtedMilliseconds = nil
        guard stamp < Self.endMilliseconds else { return false }
        let time = stamp &+ offsetMilliseconds
        let step = time > nowMilliseconds ? time - nowMilliseconds : nowMilliseconds - time
        guard isSet, step > Self.longestStepMilliseconds else { return true }
        if let doubted, stamp >= doubted, stamp - doubted <= Self.longestStepMilliseconds {
            // The clock was set, or there was a long pause, so the previous record was right.
            wildTimes &-= 1
            return true
        }
        doubtedMilliseconds = stamp
        return false
    }
}
