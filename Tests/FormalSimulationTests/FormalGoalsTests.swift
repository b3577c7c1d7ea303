import Analysis
import Foundation
import Testing

@testable import FormalSimulation

/// The goals at which `make formal` fails.
@Suite struct FormalGoalsTests {
    private func outcome(
        _ seed: UInt64, detection: Double = 100, continuity: Double = 100, longevity: Double = 100
    ) throws -> FormalRun.Outcome {
        let text = """
            {"detectionPercent": \(detection), "continuityPercent": \(continuity),
             "longevityPercent": 99.79, "fittingLongevityPercent": \(longevity)}
            """
        return FormalRun.Outcome(
            seed: seed, figures: try JSONDecoder().decode(FormalSummary.Figures.self, from: Data(text.utf8)),
            detectedPairCount: 0, missedWindowCount: 0)
    }

    @Test func `boards that miss nothing, or as little as Herald's best, have reached what is wanted`() throws
    {
        let outcomes = try [
            outcome(1), outcome(2, continuity: 99.99, longevity: 99.8), outcome(3, longevity: 99.99),
        ]
        #expect(FormalGoals.boards.shortfalls(of: outcomes).isEmpty)
    }

    @Test func `one seed of twenty that misses more is found, whatever the mean, and named`() throws {
        for (worse, text) in try [
            (outcome(7, detection: 98.89), "detection 98.89 %, less than 100.0 %"),
            (outcome(7, continuity: 99.98), "continuity 99.98 %, less than 99.99 %"),
            (outcome(7, longevity: 99.7), "longevity 99.7 %, less than 99.8 %"),
        ] {
            let outcomes = try (1...20).map { try $0 == 7 ? worse : outcome($0) }
            #expect(FormalGoals.boards.shortfalls(of: outcomes) == [.init(text: text, seed: 7)])
        }
    }

    @Test func `the control must lose about as much as phones did, on average`() throws {
        for (continuities, isNear) in [
            ([93.06], true), ([89.5, 91.5], true), ([90, 96], true), ([89.9], false), ([100], false),
            ([73.3, 90], false),
        ] {
            let outcomes = try continuities.enumerated().map { try outcome(UInt64($0), continuity: $1) }
            #expect(FormalGoals.control.shortfalls(of: outcomes).isEmpty == isNear, "\(continuities)")
        }
    }

    @Test func `nothing shown is nothing reached`() {
        for goals in [FormalGoals.boards, .control] { #expect(!goals.shortfalls(of: []).isEmpty) }
    }
}
