/// Compares the true blind times of a board with its log. docs/radio-supervisor.md, "What blind means".
public struct BlindnessComparison: Sendable {
    public let trueSeconds: Double
    public let loggedSeconds: Double
    /// The longest time in seconds for which the board was blind although the log covers it.
    public let hiddenSeconds: Double
    /// The longest time in seconds for which the board could receive although the log says that it was
    /// blind.
    public let inventedSeconds: Double
    private let blind: TimeRanges
    private let span: Range<UInt64>

    /// - Parameter undecided: Time ranges without reception that the log may count either way.
    init(
        seeing: TimeRanges, covered: TimeRanges, undecided: TimeRanges = TimeRanges(),
        within span: Range<UInt64>
    ) {
        blind = seeing.inverted(within: span)
        self.span = span
        let surelyBlind = TimeRanges(seeing.ranges + undecided.ranges).inverted(within: span)
        let uncovered = covered.inverted(within: span)
        trueSeconds = Self.seconds(blind.milliseconds)
        loggedSeconds = Self.seconds(uncovered.milliseconds)
        hiddenSeconds = Self.seconds(surelyBlind.intersection(covered).longestMilliseconds)
        inventedSeconds = Self.seconds(uncovered.intersection(seeing).longestMilliseconds)
    }

    /// When the first blind range of more than `seconds` began, in seconds from the start of the span. Nil
    /// if there is none.
    func beginningSeconds(ofLongerThan seconds: Double) -> Double? {
        blind.ranges.first { Self.seconds(UInt64($0.count)) > seconds }
            .map { Self.seconds($0.lowerBound - span.lowerBound) }
    }

    private static func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1_000 }
}
