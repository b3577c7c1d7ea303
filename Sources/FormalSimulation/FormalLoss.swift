import Analysis

/// How much a change of the software lowers the figures of a formal test. Both runs have the same rooms and
/// seeds.
public struct FormalLoss: Sendable {
    /// The loss in percent of the figure before the change; negative for a gain.
    public struct Spread: Equatable, Sendable {
        public let mean: Double
        public let worst: Double
        /// The seed of the room with the greatest loss.
        public let worstSeed: UInt64
    }

    public let detection: Spread
    public let continuity: Spread
    public let longevity: Spread

    /// - Precondition: Both lists have the same seeds, at least one, in the same order.
    public init(before: [FormalRun.Outcome], after: [FormalRun.Outcome]) {
        precondition(!before.isEmpty && before.map(\.seed) == after.map(\.seed), "other rooms")
        func spread(_ figure: (FormalSummary.Figures) -> Double) -> Spread {
            let losses = zip(before, after).map { before, after in
                let (old, new) = (figure(before.figures), figure(after.figures))
                return old > 0 ? 100 * (old - new) / old : 0
            }
            let worst = losses.indices.max { losses[$0] < losses[$1] } ?? 0
            return Spread(
                mean: losses.reduce(0, +) / Double(losses.count), worst: losses[worst],
                worstSeed: before[worst].seed)
        }
        detection = spread(\.detectionPercent)
        continuity = spread(\.continuityPercent)
        longevity = spread(\.longevityPercent)
    }
}
