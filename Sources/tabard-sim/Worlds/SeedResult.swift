import Foundation
import Simulator

/// The result of one seed, which a worker of ``RunCommand`` prints as a line of JSON.
struct SeedResult: Codable {
    let seed: UInt64
    let simulatedHours: Double
    /// The number of fault kinds that occurred.
    let faultKindCount: Int
    let recoveries: Set<ExternalRecovery>
    /// The report for people; empty if the seed passed.
    let failureLines: [String]

    var hasFailed: Bool { !failureLines.isEmpty }

    init(_ outcome: SimulatedRun.Outcome, _ report: SeedReport) {
        seed = outcome.options.seed
        simulatedHours = outcome.simulated.seconds / 3_600
        faultKindCount = outcome.faultKinds.count
        recoveries = outcome.externalRecoveries
        failureLines = report.lines
    }

    /// Parses a line; nil if it is not a result.
    init?(line: String) {
        guard let result = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = result
    }

    func line() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}
