/// Places the times of one boot: on the wall clock, each with its error, or, if the wall time is unknown,
/// counted from the boot. docs/time.md specifies the rules.
public struct BootPlacement: Sendable, Equatable {
    public let boot: UInt64
    public let basis: ClockBasis
    /// The number of the boot's anchors that its times are based on, and of those that contradict them.
    public let usedAnchorCount: Int
    public let rejectedAnchorCount: Int
    private let bounds: ClockBounds
    /// The offset from monotonic to wall time if the basis is an unchecked clock.
    private let uncheckedOffsetMilliseconds: Int64
    /// The origin of times that are not on the wall clock.
    private let startMilliseconds: Int64

    /// `guess`: the offset from monotonic time to an unchecked clock.
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

    /// The same boot with times counted from its start, although it could be placed.
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

    /// Converts a moment of the monotonic clock to milliseconds since 1970 UTC, or since the boot.
    public func milliseconds(at monotonic: Int64) -> Int64 {
        switch basis {
        case .none: monotonic - startMilliseconds
        case .unchecked: guess(at: monotonic)
        case .host, .system, .order: bounds.middle(at: monotonic)?.milliseconds ?? 0
        }
    }

    /// The error bound of that time, either way; nil if unknown or not on the wall clock.
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

    /// Bounds of the moment, in milliseconds since 1970 UTC; nil if unknown.
    public func notBefore(_ monotonic: Int64) -> Int64? { bounds.earliestMilliseconds(at: monotonic) }
    public func notAfter(_ monotonic: Int64) -> Int64? { bounds.latestMilliseconds(at: monotonic) }

    /// The timeline of these moments, with the worst of their errors.
    public func timeline(of moments: some Sequence<Int64>) -> Encounter.Timeline {
        guard isOnWallClock else { return .sinceStart(boot: boot) }
        var worst: Int64? = 0
        for moment in moments {
            worst = worst.flatMap { worst in errorMilliseconds(at: moment).map { max(worst, $0) } }
        }
        return .wallClock(errorMilliseconds: worst)
    }

    /// The inverse of `milliseconds(at:)`: the first monotonic moment that is placed at this time or later.
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

    /// The time of the unchecked clock, clamped to the bounds.
    private func guess(at monotonic: Int64) -> Int64 {
        let said = monotonic + uncheckedOffsetMilliseconds
        return min(max(said, notBefore(monotonic) ?? .min), notAfter(monotonic) ?? .max)
    }
}
