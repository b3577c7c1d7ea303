import FixedMemory

/// Decides when the light is on. It shows the board's state, and for a moment the answer to a press of the
/// button.
public struct LightShow: BitwiseCopyable, Sendable {
    /// How long an answer is shown.
    private static let answerTime = Interval.seconds(2)

    /// Nil, and dark, until something is known.
    private var state: PanelState?
    private var pattern: LightPattern?
    private var start = Instant.start
    /// When the answer to a press is over; nil if none is shown.
    private var answerEnd: Instant?

    public init() {}

    /// Shows a state. An answer to a press is shown to its end first, and the same state keeps its rhythm.
    public mutating func show(_ new: PanelState, now: Instant) {
        guard new != state else { return }
        state = new
        if answerEnd == nil { begin(LightPattern(of: new), now: now) }
    }

    /// Shows whether what a press asked for is done.
    public mutating func answer(isDone: Bool, now: Instant) {
        begin(isDone ? .done : .refused, now: now)
        answerEnd = now + Self.answerTime
    }

    /// Whether the light is on, and when that changes next.
    public mutating func light(now: Instant) -> (isOn: Bool, change: Instant) {
        if let answerEnd, now >= answerEnd {
            self.answerEnd = nil
            begin(state.map { LightPattern(of: $0) }, now: now)
        }
        guard let pattern else { return (false, .distantFuture) }
        let (isOn, remaining) = pattern.light(after: now.interval(since: start))
        return (isOn, now + remaining)
    }

    private mutating func begin(_ new: LightPattern?, now: Instant) {
        pattern = new
        start = now
    }
}
