import FixedMemory
import LogContents

/// A selection of contacts between boards. The empty filter admits all.
public struct ContactFilter: Sendable, Equatable {
    /// Admits only contacts that ended at or after `since` and began before `until`; excludes those without
    /// wall time.
    public var since: WallClockTime?
    public var until: WallClockTime?
    /// Admits contacts of any of these boards; nil for all.
    public var boards: Set<LogIdentity>?
    public var minimumDuration: Interval?
    /// Excludes contacts of which one board heard nothing.
    public var needsBothSides = false
    /// Excludes contacts that are known only from what a peer wrote.
    public var excludesWritten = false

    public init() {}
}
