/// What the times of one start of the agent rest on, the best first.
public enum ClockBasis: String, Sendable, CaseIterable {
    /// A host has read the board's clock in that start, or told it the time.
    case host
    /// The board's system clock, which knew its own error.
    case system
    /// It lies between the starts before and behind it in the log, whose times are known.
    case order
    /// The board's system clock, of which nobody knows how it was set.
    case unchecked
    /// Nothing says when it was; at most, what it was before or after.
    case none

    /// 0 is the best.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
