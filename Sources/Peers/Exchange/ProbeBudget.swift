/// How much of the time attempts at candidates may take. Any iPhone with an app in the background looks like one, and as
/// a new one each quarter of an hour, so a street full of them could keep us from scanning: all together they are probed
/// at most ten times a minute, and for at most a twentieth of the time.
public struct ProbeBudget: BitwiseCopyable, Sendable {
    private let shortestIntervalMilliseconds: UInt64
    /// So many times as long as a probe took, there is none.
    private let restFactor: UInt64

    private var startMilliseconds: UInt64?
    private var nextMilliseconds: UInt64 = 0

    private init(shortestIntervalMilliseconds: UInt64, restFactor: UInt64) {
        self.shortestIntervalMilliseconds = shortestIntervalMilliseconds
        self.restFactor = restFactor
    }

    public init() { self.init(shortestIntervalMilliseconds: 6_000, restFactor: 19) }

    /// The same for connections that are made to write back: a fifth of the time at most, and four a second.
    public static var writeBack: ProbeBudget {
        ProbeBudget(shortestIntervalMilliseconds: 250, restFactor: 4)
    }

    public mutating func begin(nowMilliseconds now: UInt64) { startMilliseconds = now }

    /// No attempt is going on any more.
    public mutating func end(nowMilliseconds now: UInt64) {
        guard let start = startMilliseconds else { return }
        startMilliseconds = nil
        let rest = (now - min(start, now)) * restFactor
        nextMilliseconds = max(start + shortestIntervalMilliseconds, now + rest)
    }

    public func allowsProbe(nowMilliseconds now: UInt64) -> Bool {
        startMilliseconds == nil && now >= nextMilliseconds
    }
}
