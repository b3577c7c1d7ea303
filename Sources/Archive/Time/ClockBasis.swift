/// The basis of one boot's times, best first.
public enum ClockBasis: String, Sendable, CaseIterable {
    /// A host read the board's clock during the boot, or set it.
    case host
    /// The board's system clock, with a known error.
    case system
    /// The boot's position in the log, between boots with known times.
    case order
    /// The board's system clock, whose setting nobody has checked.
    case unchecked
    /// No basis; at most a bound before or after is known.
    case none

    /// The basis as a number; 0 is the best.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
