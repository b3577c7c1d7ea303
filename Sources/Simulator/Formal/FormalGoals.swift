/// What `make formal` demands of a room, over all its seeds. In percent.
public struct FormalGoals: Sendable {
    /// The least that any seed may have.
    public var detection: Double?
    public var continuity: Double?
    public var longevity: Double?
    /// Where the mean of all seeds must lie.
    public var meanContinuity: ClosedRange<Double>?

    /// Boards, alone or among phones: everybody is met, and no more is missed than Herald's best test missed.
    public static let boards = FormalGoals(detection: 100, continuity: 99.99, longevity: 99.8)
    /// Herald 1.0 on ten phones, published with 93.06 %. If the control does not land near it, the room is too kind or too
    /// hard, and what boards reach in it says nothing.
    public static let control = FormalGoals(meanContinuity: 90...96)

    /// What was wanted and not reached; empty if all was. With each the seed that is worst.
    public func shortfalls(of outcomes: [FormalRun.Outcome]) -> [Shortfall] {
        guard !outcomes.isEmpty else { return [Shortfall(text: "no seed came to an end", seed: nil)] }
        var found: [Shortfall] = []
        let least: [(String, Double?, (FormalRun.Outcome) -> Double)] = [
            ("detection", detection, \.figures.detectionPercent),
            ("continuity", continuity, \.figures.continuityPercent),
            ("longevity", longevity, \.figures.longevityPercent),
        ]
        for (name, goal, figure) in least {
            // What cannot be said is no goal reached.
            guard let goal, let worst = outcomes.min(by: { figure($0) < figure($1) }),
                !(figure(worst) >= goal)
            else { continue }
            found.append(Shortfall(text: "\(name) \(figure(worst)) %, less than \(goal) %", seed: worst.seed))
        }
        let mean = outcomes.reduce(0) { $0 + $1.figures.continuityPercent } / Double(outcomes.count)
        if let range = meanContinuity, !range.contains(mean) {
            let wanted = "\(range.lowerBound) to \(range.upperBound) %"
            found.append(Shortfall(text: "continuity \(mean) % on average, not from \(wanted)", seed: nil))
        }
        return found
    }

    public struct Shortfall: Equatable, Sendable {
        /// Such as "continuity 99.5 %, less than 99.99 %".
        public let text: String
        /// The seed to look at; nil if it is all of them.
        public let seed: UInt64?

        public init(text: String, seed: UInt64?) {
            self.text = text
            self.seed = seed
        }
    }
}
