import FixedMemory
import LogContents

/// When an encounter was: its first and its last moment, and how well they are known.
public struct EncounterSpan: Sendable, Equatable {
    /// The clock of all times of the encounter, including those of its samples.
    public var timeline: Encounter.Timeline
    public var start: TimelinePoint
    public var end: TimelinePoint
    /// The error bounds of start and end, either way; nil if unknown or not on the wall clock.
    public var startError: Interval?
    public var endError: Interval?
    /// The basis of its times; for several boots the worst one.
    public var basis = ClockBasis.none
    /// Bounds of its wall time if its error is unknown; nil if unknown.
    public var notBefore: WallClockTime?
    public var notAfter: WallClockTime?

    public init(timeline: Encounter.Timeline, start: TimelinePoint, end: TimelinePoint) {
        self.timeline = timeline
        self.start = start
        self.end = end
    }

    /// Places the moments from `first` to `last` of a boot.
    ///
    /// - Parameter others: further moments of the encounter, whose errors count too.
    init(
        _ first: Instant, _ last: Instant, others: some Sequence<Instant>, on placement: BootPlacement
    ) {
        let moments = [[first, last], Array(others)].joined()
        self.init(
            timeline: placement.timeline(of: moments), start: placement.point(at: first),
            end: placement.point(at: last))
        startError = placement.error(at: first)
        endError = placement.error(at: last)
        basis = placement.basis
        notBefore = startError == nil ? placement.notBefore(first) : nil
        notAfter = endError == nil ? placement.notAfter(last) : nil
    }

    /// Adds a span that does not begin earlier.
    mutating func append(_ next: EncounterSpan) {
        if case .wallClock(let error) = timeline, case .wallClock(let other) = next.timeline {
            timeline = .wallClock(error: error.flatMap { error in other.map { max(error, $0) } })
        }
        basis = [basis, next.basis].max { $0.rank < $1.rank } ?? basis
        if next.end >= end {
            end = next.end
            endError = next.endError
            notAfter = next.notAfter
        }
    }

    /// Whether the silence between the end of this span and `next` is known to be no longer than the timeout.
    ///
    /// - Parameter isSameBoot: both were recorded in one boot.
    func isContinued(by next: EncounterSpan, within timeout: Interval, isSameBoot: Bool) -> Bool {
        switch (timeline, next.timeline) {
        case (.wallClock, .wallClock): break
        case (.sinceStart(let boot), .sinceStart(let other)) where boot == other: break
        default: return false
        }
        guard next.start.interval(since: end) <= timeout else { return false }
        // Within one boot the silence is known exactly. Between two boots it is unknown if their clock errors
        // exceed the encounter timeout.
        return isSameBoot || max(endError ?? .zero, next.startError ?? .zero) <= timeout
    }
}
