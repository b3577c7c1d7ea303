import FixedMemory

/// A moment of a boot, on the clock that its board had then.
public struct PlacedMoment: Sendable, Equatable {
    public var timeline: Encounter.Timeline
    public var time: TimelinePoint
    public var basis: ClockBasis
    /// Bounds of its wall time if its error is unknown; nil if unknown.
    public var notBefore: WallClockTime?
    public var notAfter: WallClockTime?

    public init(timeline: Encounter.Timeline, time: TimelinePoint, basis: ClockBasis = .none) {
        self.timeline = timeline
        self.time = time
        self.basis = basis
    }

    init(_ instant: Instant, on placement: BootPlacement) {
        self.init(
            timeline: placement.timeline(of: [instant]), time: placement.point(at: instant),
            basis: placement.basis)
        guard placement.error(at: instant) == nil else { return }
        notBefore = placement.notBefore(instant)
        notAfter = placement.notAfter(instant)
    }

    /// The error bound of its time, either way; nil if unknown or not on the wall clock.
    public var error: Interval? {
        guard case .wallClock(let error) = timeline else { return nil }
        return error
    }

    public var isOnWallClock: Bool { timeline.isOnWallClock }

    /// Elements in order of time; those without a clock last.
    static func inOrder<Element>(
        _ elements: [Element], _ moment: (Element) -> PlacedMoment
    ) -> [Element] {
        elements.enumerated().sorted { left, right in
            let (first, second) = (moment(left.element), moment(right.element))
            return (first.isOnWallClock ? 0 : 1, first.time, left.offset)
                < (second.isOnWallClock ? 0 : 1, second.time, right.offset)
        }.map(\.element)
    }
}
