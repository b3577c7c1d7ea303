/// Counts the seeds with an external recovery, in which the world had to repair the radio. Such a seed
/// cannot show whether the agent would have recovered by itself.
public struct ExternalRecoveryCounter: Sendable {
    public private(set) var seedCount = 0
    /// Seeds with at least one external recovery.
    public private(set) var recoveredCount = 0
    public private(set) var counts: [ExternalRecovery: Int] = [:]

    /// The highest allowed share of seeds with an external recovery, in percent.
    public static let limitPercent = 10
    /// A smaller number of seeds does not give a meaningful share.
    public static let leastSeedCount = 50

    public init() {}

    /// Adds the outcome of one more seed.
    public mutating func add(_ recoveries: Set<ExternalRecovery>) {
        seedCount += 1
        if !recoveries.isEmpty { recoveredCount += 1 }
        for recovery in recoveries { counts[recovery, default: 0] += 1 }
    }

    /// A summary such as
    /// "3 recovered from outside (deaf, no device expected: 2; filter that does no harm: 1)".
    public var text: String {
        let reasons = ExternalRecovery.allCases.compactMap { recovery in
            counts[recovery].map { "\(recovery.text): \($0)" }
        }
        return "\(recoveredCount) recovered from outside"
            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))")
    }

    /// The reason why the share is too high; nil if it is not.
    public var complaint: String? {
        guard seedCount >= Self.leastSeedCount, recoveredCount * 100 > seedCount * Self.limitPercent else {
            return nil
        }
        return "of \(seedCount) seeds \(text), more than \(Self.limitPercent) %"
    }
}
