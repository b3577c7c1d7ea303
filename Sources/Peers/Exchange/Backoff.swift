/// Pauses after failures.
public enum Backoff {
    /// The shortest pause, doubled with each failure that came before this one, up to the longest; and up to a quarter more,
    /// so that boards do not knock in step. `jitter`: any number.
    public static func pauseMilliseconds(
        from shortest: UInt64, through longest: UInt64, failures: UInt8, jitter: UInt64
    ) -> UInt64 {
        let pause = min(shortest << UInt64(min(failures, 16)), longest)
        return pause + jitter % (pause / 4 + 1)
    }
}
