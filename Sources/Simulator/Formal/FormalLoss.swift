import Analysis

/// What a change takes of a formal test's figures: the same rooms, by the same seeds, before it and after.
public struct FormalLoss: Sendable {
    /// In percent of what there was before; less than nothing where it has become more.
    public struct Spread: Equatable, Sendable {
        public let mean: Double
        public let worst: Double
        /// Of the room that has lost most.
        public let worstSeed: UInt64
    }

    public let detection: Spread
    public let continuity: Spread
    public let longevity: Spread

    /// - Precondition: both are of the same seeds, one at least, in the same order.
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
