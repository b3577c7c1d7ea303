import EncounterLog
import FixedMemory
import LogContents

/// A selection of encounters. The empty filter admits all.
public struct EncounterFilter: Sendable, Equatable {
    /// Admits only encounters that ended at or after `since` and began before `until`; excludes those without
    /// wall time.
    public var since: WallClockTime?
    public var until: WallClockTime?
    /// Nil for all boards.
    public var boards: Set<LogIdentity>?
    /// The scheme of the identity.
    public var scheme: SchemeCode?
    /// The scheme of the identity, or else of the adverts.
    public var kind: ContactKind?
    /// The first hexadecimal digits of the identity, its label, or the label's last word.
    public var identityText: String?
    /// Admits only these identities; nil for all.
    public var identities: Set<Identity>?
    public var minimumDuration: Interval?
    /// Excludes encounters of which the board has nothing but what the peer wrote.
    public var excludesWritten = false

    public init() {}

    public func admits(_ encounter: Encounter) -> Bool { admits(encounter.summary) }

    public func admits(_ encounter: EncounterSummary) -> Bool {
        if since != nil || until != nil {
            guard encounter.isOnWallClock else { return false }
        }
        if let since, encounter.end < TimelinePoint(since) { return false }
        if let until, encounter.start >= TimelinePoint(until) { return false }
        if excludesWritten, encounter.isWritten { return false }
        if let scheme, encounter.identity?.scheme != scheme { return false }
        if let kind, encounter.kind != kind { return false }
        if let identityText, encounter.identity?.isMeant(by: identityText) != true { return false }
        if let identities, encounter.identity.map(identities.contains) != true { return false }
        return encounter.duration >= (minimumDuration ?? .zero)
    }

    /// Whether refused identities of the scheme pass.
    func admits(refusedOf refused: SchemeCode) -> Bool {
        (scheme ?? refused) == refused && (kind ?? .scheme(refused)) == .scheme(refused)
    }

    /// True if the times admit something that happened at this point.
    func admits(_ point: TimelinePoint, on timeline: Encounter.Timeline) -> Bool {
        guard timeline.isOnWallClock else { return since == nil && until == nil }
        return point >= since.map { TimelinePoint($0) } ?? .distantPast
            && point < until.map { TimelinePoint($0) } ?? .distantFuture
    }

    public func admits(board summary: ArchivedBoard) -> Bool {
        boards?.contains(summary.identity) ?? true
    }
}
