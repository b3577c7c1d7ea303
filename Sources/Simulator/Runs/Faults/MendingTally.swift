/// In how many seeds of a run of many the world mended a radio from outside, so that they cannot show whether the agent would
/// have recovered by itself.
public struct MendingTally: Sendable {
    public private(set) var seedCount = 0
    /// Seeds with at least one.
    public private(set) var mendedCount = 0
    public private(set) var counts: [OutsideMending: Int] = [:]

    /// Highest share of mended seeds, in percent.
    public static let limitPercent = 10
    /// Of fewer seeds a share says nothing.
    public static let leastSeedCount = 50

    public init() {}

    /// Takes the outcome of one more seed.
    public mutating func note(_ mendings: Set<OutsideMending>) {
        seedCount += 1
        if !mendings.isEmpty { mendedCount += 1 }
        for mending in mendings { counts[mending, default: 0] += 1 }
    }

    /// Such as "3 mended from outside (deaf, nobody missed: 2; filter that does no harm: 1)".
    public var text: String {
        let reasons = OutsideMending.allCases.compactMap { mending in
            counts[mending].map { "\(mending.words): \($0)" }
        }
        return "\(mendedCount) mended from outside"
            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))")
    }

    /// What is not as it must be; nil: all is.
    public var complaint: String? {
        guard seedCount >= Self.leastSeedCount, mendedCount * 100 > seedCount * Self.limitPercent else {
            return nil
        }
        return "of \(seedCount) seeds \(text), more than \(Self.limitPercent) %"
    }
}
