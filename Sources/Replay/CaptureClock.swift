/// The times of a capture as the agent needs them: never going back. Where the capture's clock was set back, what follows
/// is moved so that time goes on; durations stay right on both sides of the step.
///
/// A record that is far from the one before is not believed unless the next one agrees: one damaged time would otherwise
/// move all that follows.
struct CaptureClock: BitwiseCopyable {
    /// What is further away than a day, ahead or back, is doubted.
    private static let longestStepMilliseconds: UInt64 = 24 * 3_600_000
    /// 1 January 2100: what claims to be later is never believed.
    private static let endMilliseconds: UInt64 = 4_102_444_800_000
    /// Where a clock that was set back again and again is held: far from where arithmetic ends.
    private static let latestMilliseconds: UInt64 = 1 << 60

    private(set) var nowMilliseconds: UInt64 = 0
    private(set) var stepsBack: UInt32 = 0
    /// Records whose time was not believed; they have that of the record before.
    private(set) var wildTimes: UInt32 = 0
    /// A record's time has been believed.
    private(set) var isSet = false
    private var offsetMilliseconds: UInt64 = 0
    /// What the record before claimed, where it was doubted.
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
            // A clock that was set, or a long pause: the record before was right.
            wildTimes &-= 1
            return true
        }
        doubtedMilliseconds = stamp
        return false
    }
}
