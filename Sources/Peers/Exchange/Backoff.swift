/// Back-off after failures.
public enum Backoff {
    /// The shortest pause, doubled with each earlier failure, up to the longest, plus up to a quarter as
    /// jitter. The jitter keeps boards from attempting in step. `jitter`: any number.
    public static func pauseMilliseconds(
        from shortest: UInt64, through longest: UInt64, failures: UInt8, jitter: UInt64
    ) -> UInt64 {
        let pause = min(shortest << UInt64(min(failures, 16)), longest)
        return pause + jitter % (pause / 4 + 1)
    }
}
