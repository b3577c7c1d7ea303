/// Where the times of one start of the agent lie: on the wall clock, each with its error, or, where nothing says when it
/// was, counted from that start. docs/time.md has the rules.
public struct BootPlacement: Sendable, Equatable {
    public let boot: UInt64
    public let basis: ClockBasis
    /// Of the start's anchors, those that its times rest on, and those that contradict them.
    public let usedAnchorCount: Int
    public let rejectedAnchorCount: Int
    private let bounds: ClockBounds
    /// To add to monotonic time, where the basis is an unchecked clock.
    private let uncheckedOffsetMilliseconds: Int64
    /// Where times that are on no wall clock count from.
    private let startMilliseconds: Int64

    /// `guess`: what an unchecked clock says has to be added to monotonic time.
    init(_ boot: BootHistory, _ selection: AnchorSelection, bounds: ClockBounds, guess: Int64?) {
        self.boot = boot.identifier
        self.bounds = bounds
        usedAnchorCount = selection.usedCount
        rejectedAnchorCount = selection.rejectedCount
        startMilliseconds = boot.parameters?.startMilliseconds ?? 0
        uncheckedOffsetMilliseconds = guess ?? 0
        if !selection.bounds.isEmpty {
            basis = selection.hasHost ? .host : .system
        } else if guess != nil {
            basis = .unchecked
        } else {
            basis = bounds.middle(at: startMilliseconds) == nil ? .none : .order
        }
    }

    /// The same start with times counted from it, though it could be placed.
    var withoutWallClock: BootPlacement { BootPlacement(self, basis: .none) }

    private init(_ other: BootPlacement, basis: ClockBasis) {
        boot = other.boot
        self.basis = basis
        usedAnchorCount = other.usedAnchorCount
        rejectedAnchorCount = other.rejectedAnchorCount
        bounds = other.bounds
        uncheckedOffsetMilliseconds = other.uncheckedOffsetMilliseconds
        startMilliseconds = other.startMilliseconds
    }

    public var isOnWallClock: Bool { basis != .none }

    /// Milliseconds since 1970 UTC of a moment of the monotonic clock, or since the agent's start.
    public func milliseconds(at monotonic: Int64) -> Int64 {
        switch basis {
        case .none: monotonic - startMilliseconds
        case .unchecked: guess(at: monotonic)
        case .host, .system, .order: bounds.middle(at: monotonic)?.milliseconds ?? 0
        }
    }

    /// How far that may be off, either way; nil when nobody can say, or it is on no wall clock.
    public func errorMilliseconds(at monotonic: Int64) -> Int64? {
        switch basis {
        case .none: return nil
        case .unchecked:
            guard let earliest = notBefore(monotonic), let latest = notAfter(monotonic) else { return nil }
            let guess = guess(at: monotonic)
            return max(guess - earliest, latest - guess, 0)
        case .host, .system, .order: return bounds.middle(at: monotonic)?.errorMilliseconds
        }
    }

    /// What is known of the moment at least: milliseconds since 1970 UTC; nil where nothing is.
    public func notBefore(_ monotonic: Int64) -> Int64? { bounds.earliestMilliseconds(at: monotonic) }
    public func notAfter(_ monotonic: Int64) -> Int64? { bounds.latestMilliseconds(at: monotonic) }

    /// The timeline of things at these moments, with the worst of their errors.
    public func timeline(of moments: some Sequence<Int64>) -> Encounter.Timeline {
        guard isOnWallClock else { return .sinceStart(boot: boot) }
        var worst: Int64? = 0
        for moment in moments {
            worst = worst.flatMap { worst in errorMilliseconds(at: moment).map { max(worst, $0) } }
        }
        return .wallClock(errorMilliseconds: worst)
    }

    /// The first moment that is placed there or later: the inverse.
    public func monotonicMilliseconds(of time: Int64) -> Int64 {
        guard isOnWallClock else { return time + startMilliseconds }
        var low: Int64 = -(1 << 54)
        var high: Int64 = 1 << 54
        while low < high {
            let half = low + (high - low) / 2
            if milliseconds(at: half) < time { low = half + 1 } else { high = half }
        }
        return low
    }

    /// What the unchecked clock says, within what can be.
    private func guess(at monotonic: Int64) -> Int64 {
        let said = monotonic + uncheckedOffsetMilliseconds
        return min(max(said, notBefore(monotonic) ?? .min), notAfter(monotonic) ?? .max)
    }
}
