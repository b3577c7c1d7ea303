import EncounterLog

/// A selection of encounters. The empty filter admits all.
public struct EncounterFilter: Sendable, Equatable {
    /// Admits only encounters that ended at or after `since` and began before `until`; excludes those without
    /// wall time.
    public var sinceMilliseconds: Int64?
    public var untilMilliseconds: Int64?
    /// The first digits of the board's log identity, or its name.
    public var board: String?
    public var scheme: SchemeCode?
    /// The first hexadecimal digits of the identity.
    public var identityPrefix: String?
    public var minimumDurationMilliseconds: Int64?

    public init() {}

    public func admits(_ encounter: Encounter) -> Bool {
        if sinceMilliseconds != nil || untilMilliseconds != nil {
            guard encounter.isOnWallClock else { return false }
        }
        if let sinceMilliseconds, encounter.endMilliseconds < sinceMilliseconds { return false }
        if let untilMilliseconds, encounter.startMilliseconds >= untilMilliseconds { return false }
        if let scheme, encounter.identity?.scheme != scheme { return false }
        if let identityPrefix {
            guard let identity = encounter.identity else { return false }
            guard identity.hexadecimal.hasPrefix(identityPrefix.lowercased()) else { return false }
        }
        return encounter.durationMilliseconds >= (minimumDurationMilliseconds ?? 0)
    }

    public func admits(board summary: BoardSummary) -> Bool {
        guard let board else { return true }
        return summary.identity.hexadecimal.hasPrefix(board.lowercased()) || summary.name == board
    }
}
