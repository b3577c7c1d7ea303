import FixedMemory

/// Places the times of one boot: on the wall clock, each with its error, or, if the wall time is unknown,
/// counted from the boot. docs/time.md specifies the rules.
public struct BootPlacement: Sendable, Equatable {
    public let boot: UInt64
    public let basis: ClockBasis
    /// The number of the boot's anchors that its times are based on, and of those that contradict them.
    public let usedAnchorCount: Int
    public let rejectedAnchorCount: Int
    private let bounds: ClockBounds
    /// Milliseconds from monotonic to wall time if the basis is an unchecked clock.
    private let uncheckedOffset: Int64
    /// The origin of times that are not on the wall clock.
    private let start: Int64

    /// `guess`: milliseconds from monotonic time to an unchecked clock.
    init(_ boot: BootClock, _ selection: AnchorSelection, bounds: ClockBounds, guess: Int64?) {
        self.boot = boot.boot
        self.bounds = bounds
        usedAnchorCount = selection.usedCount
        rejectedAnchorCount = selection.rejectedCount
        start = boot.start?.fitted ?? 0
        uncheckedOffset = guess ?? 0
        if !selection.bounds.isEmpty {
            basis = selection.hasHost ? .host : .system
        } else if guess != nil {
            basis = .unchecked
        } else {
            basis = bounds.middle(at: start) == nil ? .none : .order
        }
    }

    /// The same boot with times counted from its start, although it could be placed.
    var withoutWallClock: BootPlacement { BootPlacement(self, basis: .none) }

    private init(_ other: BootPlacement, basis: ClockBasis) {
        boot = other.boot
        self.basis = basis
        usedAnchorCount = other.usedAnchorCount
        rejectedAnchorCount = other.rejectedAnchorCount
        bounds = other.bounds
        uncheckedOffset = other.uncheckedOffset
        start = other.start
    }

    public var isOnWallClock: Bool { basis != .none }

    /// Adds everything that the times of the boot depend on.
    func add(to facts: inout FactDigest) {
        facts.add(Int64(basis.rank))
        facts.add(uncheckedOffset)
        facts.add(start)
        bounds.add(to: &facts)
    }

    /// The instant's point on the boot's timeline.
    public func point(at instant: Instant) -> TimelinePoint {
        TimelinePoint(milliseconds: milliseconds(at: instant.fitted))
    }

    /// The instant's wall time; nil if the board had no clock.
    public func wallClock(at instant: Instant) -> WallClockTime? {
        isOnWallClock ? WallClockTime(clamping: milliseconds(at: instant.fitted)) : nil
    }

    /// The error bound of that time, either way; nil if unknown or not on the wall clock.
    public func error(at instant: Instant) -> Interval? {
        let monotonic = instant.fitted
        switch basis {
        case .none: return nil
        case .unchecked:
            guard let earliest = bounds.earliestMilliseconds(at: monotonic),
                let latest = bounds.latestMilliseconds(at: monotonic)
            else { return nil }
            let guess = guess(at: monotonic)
            return Interval(clamping: max(guess - earliest, latest - guess))
        case .host, .system, .order:
            return (bounds.middle(at: monotonic)?.errorMilliseconds).map { Interval(clamping: $0) }
        }
    }

    /// Bounds of the instant's wall time; nil if unknown.
    public func notBefore(_ instant: Instant) -> WallClockTime? {
        bounds.earliestMilliseconds(at: instant.fitted).map { WallClockTime(clamping: $0) }
    }

    public func notAfter(_ instant: Instant) -> WallClockTime? {
        bounds.latestMilliseconds(at: instant.fitted).map { WallClockTime(clamping: $0) }
    }

    /// The timeline of these instants, with the worst of their errors.
    public func timeline(of instants: some Sequence<Instant>) -> Encounter.Timeline {
        guard isOnWallClock else { return .sinceStart(boot: boot) }
        var worst: Interval? = .zero
        for instant in instants {
            worst = worst.flatMap { worst in error(at: instant).map { max(worst, $0) } }
        }
        return .wallClock(error: worst)
    }

    /// The inverse of ``point(at:)``: the first instant that is placed at this point or later.
    public func instant(of point: TimelinePoint) -> Instant {
        let time = point.milliseconds
        guard isOnWallClock else { return Instant(clamping: time + start) }
        var low: Int64 = 0
        var high: Int64 = 1 << 54
        while low < high {
            let half = low + (high - low) / 2
            if milliseconds(at: half) < time { low = half + 1 } else { high = half }
        }
        return Instant(clamping: low)
    }

    /// The arithmetic is signed and in milliseconds, because a point may lie before 1970 or before the boot.
    private func milliseconds(at monotonic: Int64) -> Int64 {
        switch basis {
        case .none: monotonic - start
        case .unchecked: guess(at: monotonic)
        case .host, .system, .order: bounds.middle(at: monotonic)?.milliseconds ?? 0
        }
    }

    /// The time of the unchecked clock, clamped to the bounds.
    private func guess(at monotonic: Int64) -> Int64 {
        let said = monotonic + uncheckedOffset
        let earliest = bounds.earliestMilliseconds(at: monotonic) ?? .min
        return min(max(said, earliest), bounds.latestMilliseconds(at: monotonic) ?? .max)
    }
}
