/// A stored encounter as a search through millions sees it first: without samples, and without its peer.
public struct RecordedIdentity: Sendable {
    /// The number of the encounter's row, for ``Archive/encounters(rows:)``.
    public let row: Int64
    /// On the wall clock, or since the start of a boot without one.
    public let start: TimelinePoint
    public let end: TimelinePoint
    public let isOnWallClock: Bool
    /// Whether only the identity's hash is left.
    public let isLost: Bool
    /// Whether nobody checked the clock of its times.
    public let isUnchecked: Bool
}
