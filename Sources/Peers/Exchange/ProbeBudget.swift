/// The limit on the time that attempts at candidates take. Any iPhone with an app in the background looks
/// like a candidate, and like a new one every quarter of an hour. A street full of them could keep us from
/// scanning. So all candidates together are probed at most ten times a minute, and for at most a twentieth
/// of the time.
public struct ProbeBudget: BitwiseCopyable, Sendable {
    private let shortestIntervalMilliseconds: UInt64
    /// The pause after a probe, as a multiple of the probe's length.
    private let restFactor: UInt64

    private var startMilliseconds: UInt64?
    private var nextMilliseconds: UInt64 = 0

    private init(shortestIntervalMilliseconds: UInt64, restFactor: UInt64) {
        self.shortestIntervalMilliseconds = shortestIntervalMilliseconds
        self.restFactor = restFactor
    }

    public init() { self.init(shortestIntervalMilliseconds: 6_000, restFactor: 19) }

    /// The budget of connections made to write back: at most a fifth of the time, and four a second.
    public static var writeBack: ProbeBudget {
        ProbeBudget(shortestIntervalMilliseconds: 250, restFactor: 4)
    }

    public mutating func begin(nowMilliseconds now: UInt64) { startMilliseconds = now }

    /// Records that the attempt has ended.
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
