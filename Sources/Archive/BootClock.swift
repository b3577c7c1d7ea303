/// Where one boot's monotonic time lies on the wall clock.
public struct BootClock: Sendable, Equatable {
    /// Add to monotonic milliseconds to get milliseconds since 1970 UTC.
    public let offsetMilliseconds: Int64
    /// Nil when nobody can say: the board's own clock, of unknown origin.
    public let errorMilliseconds: Int64?

    /// From the anchor with the least error, of equals the latest (a clock gets better with time); nil when
    /// there is none. An anchor from before 2020 is a clock that was never set, and says nothing.
    public init?(_ anchors: [Anchor]) {
        let credible = anchors.filter { $0.wallClockMilliseconds >= Self.earliestCredible }
        let best = credible.min { left, right in
            (left.errorMilliseconds, -left.monotonicMilliseconds)
                < (right.errorMilliseconds, -right.monotonicMilliseconds)
        }
        guard let best else { return nil }
        offsetMilliseconds = best.wallClockMilliseconds - best.monotonicMilliseconds
        errorMilliseconds =
            best.errorMilliseconds >= Anchor.unknownErrorMilliseconds ? nil : best.errorMilliseconds
    }

    public func wallClockMilliseconds(_ monotonicMilliseconds: Int64) -> Int64 {
        monotonicMilliseconds + offsetMilliseconds
    }

    /// 2020-01-01T00:00:00Z
    private static let earliestCredible: Int64 = 1_577_836_800_000
}
