import FormalSimulation
import Foundation
import Simulator

/// The cost for Herald if a board has all other schemes on, too. Each room is run twice with the same seeds.
struct FormalComparison {
    let room: FormalTrial
    private let outcomes: [FormalRun.Outcome]
    private let loss: FormalLoss

    /// The allowed loss in any room, in percent of the continuity that Herald has alone.
    static let longestLossPercent = 1.0

    /// The rooms of `make formal-schemes`: one of boards; one of boards and phones of the other schemes; and
    /// one of boards and phones of all schemes.
    static let rooms: [FormalTrial] = [
        FormalTrial(devices: .tabard, count: 10), FormalTrial(devices: .tabard, count: 10, otherCount: 5),
        FormalTrial(devices: .mixed, count: 10, otherCount: 5),
    ]

    /// The two trials of a room: Herald alone, and all schemes.
    static func trials(in room: FormalTrial) -> [FormalTrial] {
        [FormalRun.Schemes.herald, .all].map { schemes in
            var trial = room
            trial.schemes = schemes
            return trial
        }
    }

    init(_ room: FormalTrial, alone: [FormalRun.Outcome], together: [FormalRun.Outcome]) {
        self.room = room
        outcomes = alone + together
        loss = FormalLoss(before: alone, after: together)
    }

    var lines: [String] {
        var lines = [
            Self.padded("  lost by the other four", 28) + Self.text(loss.detection, "%.2f", 7, 10)
                + Self.text(loss.continuity, "%.4f", 11, 11) + Self.text(loss.longevity, "%.3f", 9, 0)
        ]
        let (read, served) = (sum(\.otherReadCount), sum(\.otherServedCount))
        if read + served > 0 {
            lines.append(
                "  with all five, phones of the others read boards \(read) times, were read by them \(served) times, and were "
                    + "kept awake \(sum(\.otherKeptAwakeCount)) times")
        }
        return lines
    }

    private func sum(_ count: (FormalRun.Outcome) -> UInt64) -> UInt64 {
        outcomes.suffix(outcomes.count / 2).reduce(0) { $0 + count($1) }
    }

    private static func text(_ loss: FormalLoss.Spread, _ format: String, _ mean: Int, _ worst: Int) -> String
    {
        padded(String(format: format, loss.mean), mean) + padded(String(format: format, loss.worst), worst)
    }

    private static func padded(_ text: String, _ length: Int) -> String {
        text.padding(toLength: max(length, text.count), withPad: " ", startingAt: 0)
    }

    /// The first requirement that the comparison does not meet; nil if it meets all.
    var shortfall: FormalGoals.Shortfall? {
        if loss.continuity.worst > Self.longestLossPercent {
            let percent = String(format: "%.2f", loss.continuity.worst)
            return FormalGoals.Shortfall(
                text: "\(room.room): the other four schemes take \(percent) % of Herald's continuity",
                seed: loss.continuity.worstSeed)
        }
        return outcomes.lazy.compactMap { outcome in
            outcome.violations.first.map {
                FormalGoals.Shortfall(text: "\(room.room): \($0)", seed: outcome.seed)
            }
        }.first
    }
}
