import FixedMemory

/// Compares the true blind times of a board with its log. docs/radio-supervisor.md, "What blind means".
public struct BlindnessComparison: Sendable {
    public let trueSeconds: Double
    public let loggedSeconds: Double
    /// The longest time in seconds for which the board was blind although the log covers it.
    public let hiddenSeconds: Double
    /// The longest time in seconds for which the board could receive, but the log calls it blind.
    public let inventedSeconds: Double
    private let blind: TimeRanges
    private let span: Range<Instant>

    /// - Parameter undecided: Time ranges without reception that the log may count either way.
    init(
        seeing: TimeRanges, covered: TimeRanges, undecided: TimeRanges = TimeRanges(),
        within span: Range<Instant>
    ) {
        blind = seeing.inverted(within: span)
        self.span = span
        let surelyBlind = TimeRanges(seeing.ranges + undecided.ranges).inverted(within: span)
        let uncovered = covered.inverted(within: span)
        trueSeconds = Self.seconds(blind.length)
        loggedSeconds = Self.seconds(uncovered.length)
        hiddenSeconds = Self.seconds(surelyBlind.intersection(covered).longest)
        inventedSeconds = Self.seconds(uncovered.intersection(seeing).longest)
    }

    /// When the first blind range of more than `seconds` began, in seconds from the start of the span. Nil
    /// if there is none.
    func beginningSeconds(ofLongerThan seconds: Double) -> Double? {
        blind.ranges.first { Self.seconds($0.length) > seconds }
            .map { Self.seconds($0.lowerBound - span.lowerBound) }
    }

    private static func seconds(_ length: Interval) -> Double { Double(length.milliseconds) / 1_000 }
}
