import Analysis
import FormalSimulation
import Foundation
import Simulator

/// The figures of one trial, beside the published ones.
struct FormalTrialTable {
    private let trial: FormalTrial
    private let outcomes: [FormalRun.Outcome]
    private let summary: FormalSummary

    init(_ trial: FormalTrial, _ outcomes: [FormalRun.Outcome]) {
        self.trial = trial
        self.outcomes = outcomes
        var summary = FormalSummary()
        for outcome in outcomes { summary.append(outcome.figures) }
        self.summary = summary
    }

    static let header = """
                                detection %      continuity %          longevity %
                                mean   worst     mean       worst      mean     worst
        """

    var lines: [String] {
        let (detection, continuity, longevity) = (
            summary.detectionPercent, summary.continuityPercent, summary.longevityPercent
        )
        var lines = [
            Self.padded(trial.name)
                + String(
                    format: "%-7.2f%-10.2f%-11.4f%-11.4f%-9.3f%.3f", detection.mean, detection.worst,
                    continuity.mean, continuity.worst, longevity.mean, longevity.worst)
        ]
        if let published = trial.published {
            lines.append(
                Self.padded("  " + published.name)
                    + String(
                        format: "%-17.0f%-22.3f%.2f", published.detection, published.continuity,
                        published.longevity))
        }
        return lines + [trial.devices == .android1 || trial.devices == .android2 ? control : cost]
    }

    private var cost: String {
        let encounters = sum { Double($0.encounterCount) }
        let unidentified = encounters - sum { Double($0.identifiedEncounterCount) }
        let (links, linkBytes) = (sum { Double($0.linkCount) }, sum { Double($0.linkByteCount) })
        let scanned = sum(\.scanPercent) / Double(max(outcomes.count, 1))
        return String(
            format:
                "  %.0f encounters, %.0f not identified; per encounter %.2f links, %.0f bytes on links, %.0f of adverts; "
                + "scanning %.2f %% of the time",
            encounters, unidentified, links / encounters, linkBytes / encounters,
            sum { Double($0.advertByteCount) } / encounters, scanned)
    }

    private var control: String {
        let scans = sum { Double($0.scanCount) }
        let seconds = sum { Double($0.deviceSeconds) }
        return String(
            format: "  a scan every %.1f s; per scan %.2f attempts at a connection, %.0f %% of them in vain",
            seconds / scans, sum { Double($0.attemptCount) } / scans,
            100 * sum { Double($0.failedAttemptCount) } / max(sum { Double($0.attemptCount) }, 1))
    }

    private func sum(_ value: (FormalRun.Outcome) -> Double) -> Double {
        outcomes.reduce(0) { $0 + value($1) }
    }

    private static func padded(_ text: String) -> String {
        text.padding(toLength: 28, withPad: " ", startingAt: 0)
    }
}
