/// The figures that `make formal` requires of a room over all its seeds, in percent.
public struct FormalGoals: Sendable {
    /// The minimum for each seed.
    public var detection: Double?
    public var continuity: Double?
    /// Applies to the windows that fit in an hour (``FormalResult/fittingLongevityPercent``).
    public var longevity: Double?
    /// The range for the mean of all seeds.
    public var meanContinuity: ClosedRange<Double>?

    /// For boards, alone or among phones. They must detect every device, and miss no more than Herald's best
    /// test missed.
    public static let boards = FormalGoals(detection: 100, continuity: 99.99, longevity: 99.8)
    /// For boards that listen for a part of the time only (`radio.duty`).
    public static let dutyCycledBoards = FormalGoals(detection: 100, continuity: 99.5, longevity: 99)
    /// For Herald 1.0 on ten phones, published with 93.06 %. If the control does not come near that, the room
    /// is too easy or too hard, and the boards' figures in it mean nothing.
    public static let control = FormalGoals(meanContinuity: 90...96)

    /// The goals that were not reached, each with its worst seed; empty if all were reached.
    public func shortfalls(of outcomes: [FormalRun.Outcome]) -> [Shortfall] {
        guard !outcomes.isEmpty else { return [Shortfall(text: "no seed came to an end", seed: nil)] }
        var found: [Shortfall] = []
        let least: [(String, Double?, (FormalRun.Outcome) -> Double)] = [
            ("detection", detection, \.figures.detectionPercent),
            ("continuity", continuity, \.figures.continuityPercent),
            ("longevity", longevity, \.figures.fittingLongevityPercent),
        ]
        for (name, goal, figure) in least {
            // A figure that is not a number does not reach a goal.
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
        /// A description such as "continuity 99.5 %, less than 99.99 %".
        public let text: String
        /// The worst seed; nil if the goal concerns all of them.
        public let seed: UInt64?

        public init(text: String, seed: UInt64?) {
            self.text = text
            self.seed = seed
        }
    }
}
