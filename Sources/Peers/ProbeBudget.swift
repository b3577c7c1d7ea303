/// How much of the time attempts at candidates may take. Any iPhone with an app in the background looks like one, and as
/// a new one each quarter of an hour, so a street full of them could keep us from scanning: all together they are probed
/// at most ten times a minute, and for at most a twentieth of the time.
public struct ProbeBudget: BitwiseCopyable, Sendable {
    static let shortestIntervalMilliseconds: UInt64 = 6_000
    /// So many times as long as a probe took, there is none.
    static let restFactor: UInt64 = 19

    private var startMilliseconds: UInt64?
    private var nextMilliseconds: UInt64 = 0

    public init() {}

    public mutating func begin(nowMilliseconds now: UInt64) { startMilliseconds = now }

    /// No attempt is going on any more.
    public mutating func end(nowMilliseconds now: UInt64) {
        guard let start = startMilliseconds else { return }
        startMilliseconds = nil
        let rest = (now - min(start, now)) * Self.restFactor
        nextMilliseconds = max(start + Self.shortestIntervalMilliseconds, now + rest)
    }

    public func allowsProbe(nowMilliseconds now: UInt64) -> Bool {
        startMilliseconds == nil && now >= nextMilliseconds
    }
}
