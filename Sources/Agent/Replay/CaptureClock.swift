/// The times of a capture as the agent needs them: never going back. Where the capture's clock was set back, what follows
/// is moved so that time goes on; durations stay right on both sides of the step.
struct CaptureClock: BitwiseCopyable {
    /// Far more than any capture's time, and far from where arithmetic ends.
    private static let latestMilliseconds: UInt64 = 1 << 60

    private(set) var nowMilliseconds: UInt64 = 0
    private(set) var stepsBack: UInt32 = 0
    private var offsetMilliseconds: UInt64 = 0

    mutating func advance(unixMicroseconds: UInt64) {
        let stamp = unixMicroseconds / 1000
        var time = stamp &+ offsetMilliseconds
        if time < nowMilliseconds {
            stepsBack &+= 1
            offsetMilliseconds = nowMilliseconds - min(stamp, nowMilliseconds)
            time = nowMilliseconds
        }
        nowMilliseconds = min(time, Self.latestMilliseconds)
    }
}
