/// A stored encounter with a whole identity on the wall clock, as far as a search for its identity needs it.
public struct RecordedIdentity: Sendable {
    /// The number of the encounter's row, for ``Archive/encounters(rows:)``.
    public let row: Int64
    public let start: TimelinePoint
    public let end: TimelinePoint
    /// Whether nobody checked the clock of its times.
    public let isUnchecked: Bool
}

/// The reason why a stored encounter cannot match a published identity.
public enum UnsearchableReason: Int, Sendable {
    /// Only the identity's hash is left.
    case lost
    /// It has no wall-clock time.
    case undated
    /// It ended before the searched time.
    case expired
}
