import FixedMemory

/// Back-off after failures.
public enum Backoff {
    /// The shortest pause, doubled with each earlier failure, up to the longest, plus up to a quarter as
    /// jitter. The jitter keeps boards from attempting in step. `jitter`: any number.
    public static func pause(
        from shortest: Interval, through longest: Interval, failures: UInt8, jitter: UInt64
    ) -> Interval {
        let pause = min(shortest * (1 << UInt64(min(failures, 16))), longest)
        return pause + .milliseconds(jitter % (pause.milliseconds / 4 + 1))
    }
}
