import FixedMemory

/// The limit on the time that attempts at candidates take. Any iPhone with an app in the background looks
/// like a candidate, and like a new one every quarter of an hour. A street full of them could keep us from
/// scanning. So all candidates together are probed at most ten times a minute, and for at most a twentieth
/// of the time.
public struct ProbeBudget: BitwiseCopyable, Sendable {
    private let shortestInterval: Interval
    /// The pause after a probe, as a multiple of the probe's length.
    private let restFactor: UInt64

    private var start: Instant?
    private var next = Instant.start

    private init(shortestInterval: Interval, restFactor: UInt64) {
        self.shortestInterval = shortestInterval
        self.restFactor = restFactor
    }

    public init() { self.init(shortestInterval: .seconds(6), restFactor: 19) }

    /// The budget of connections made to write back: at most a fifth of the time, and four a second.
    public static var writeBack: ProbeBudget {
        ProbeBudget(shortestInterval: .milliseconds(250), restFactor: 4)
    }

    public mutating func begin(now: Instant) { start = now }

    /// Records that the attempt has ended.
    public mutating func end(now: Instant) {
        guard let start else { return }
        self.start = nil
        let rest = (now - min(start, now)) * restFactor
        next = max(start + shortestInterval, now + rest)
    }

    public func allowsProbe(now: Instant) -> Bool {
        start == nil && now >= next
    }
}
