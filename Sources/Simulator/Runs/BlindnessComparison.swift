/// When a board was blind, in truth, beside what its log says. docs/radio-supervisor.md, "What blind means".
public struct BlindnessComparison: Sendable {
    public let trueSeconds: Double
    public let loggedSeconds: Double
    /// Blind, and the log says that it was covered.
    public let hiddenSeconds: Double
    /// Covered, and the log says that it was blind.
    public let inventedSeconds: Double
    /// The longest stretch of blindness there really was.
    public let longestSeconds: Double
    /// How many stretches of blindness there were, in truth or in the log, whichever has more.
    public let count: Int

    init(seeing: Stretches, covered: Stretches, within span: Range<UInt64>) {
        let blind = seeing.inverted(within: span)
        let uncovered = covered.inverted(within: span)
        trueSeconds = Self.seconds(blind.milliseconds)
        loggedSeconds = Self.seconds(uncovered.milliseconds)
        hiddenSeconds = Self.seconds(blind.intersection(covered).milliseconds)
        inventedSeconds = Self.seconds(uncovered.intersection(seeing).milliseconds)
        longestSeconds = Self.seconds(blind.longestMilliseconds)
        count = max(blind.ranges.count, uncovered.ranges.count)
    }

    private static func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1_000 }
}
