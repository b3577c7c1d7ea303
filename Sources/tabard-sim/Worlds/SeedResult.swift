import Foundation
import Simulator

/// What a worker of ``RunCommand`` says of one seed: a line of JSON.
struct SeedResult: Codable {
    let seed: UInt64
    let simulatedHours: Double
    /// How many kinds of fault happened.
    let faultKindCount: Int
    let mendings: Set<OutsideMending>
    /// For people; empty: all was as it must be.
    let failureLines: [String]

    var hasFailed: Bool { !failureLines.isEmpty }

    init(_ outcome: SimulatedRun.Outcome, _ report: SeedReport) {
        seed = outcome.options.seed
        simulatedHours = outcome.simulated.seconds / 3_600
        faultKindCount = outcome.faultKinds.count
        mendings = outcome.mendedFromOutside
        failureLines = report.lines
    }

    /// Nil of a line that is something else.
    init?(line: String) {
        guard let result = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = result
    }

    func line() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}
