/// When a board was blind, in truth, beside what its log says. docs/radio-supervisor.md, "What blind means".
public struct BlindnessComparison: Sendable {
    public let trueSeconds: Double
    public let loggedSeconds: Double
    /// Blind, and the log says that it was covered: for so long at a time.
    public let hiddenSeconds: Double
    /// Covered, and the log says that it was blind: for so long at a time.
    public let inventedSeconds: Double
    private let blind: Stretches
    private let span: Range<UInt64>

    /// `undecided`: not seeing, and may be called either.
    init(
        seeing: Stretches, covered: Stretches, undecided: Stretches = Stretches(), within span: Range<UInt64>
    ) {
        blind = seeing.inverted(within: span)
        self.span = span
        let surelyBlind = Stretches(seeing.ranges + undecided.ranges).inverted(within: span)
        let uncovered = covered.inverted(within: span)
        trueSeconds = Self.seconds(blind.milliseconds)
        loggedSeconds = Self.seconds(uncovered.milliseconds)
        hiddenSeconds = Self.seconds(surelyBlind.intersection(covered).longestMilliseconds)
        inventedSeconds = Self.seconds(uncovered.intersection(seeing).longestMilliseconds)
    }

    /// When the first stretch of blindness of more than `seconds` began, from the span's beginning; nil: there is none.
    func beginningSeconds(ofLongerThan seconds: Double) -> Double? {
        blind.ranges.first { Self.seconds(UInt64($0.count)) > seconds }
            .map { Self.seconds($0.lowerBound - span.lowerBound) }
    }

    private static func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1_000 }
}
