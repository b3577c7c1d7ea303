import Simulator

/// The text for a failed seed: one line with its replay, then the options drawn from it.
struct SeedReport {
    let lines: [String]

    init(_ outcome: SimulatedRun.Outcome, replay: WorldReplay) {
        guard let first = outcome.violations.first else {
            lines = []
            return
        }
        let more = outcome.violations.count > 1 ? " (and \(outcome.violations.count - 1) more)" : ""
        var lines = [replay.failure("\(first)\(more)")]
        lines += outcome.violations.dropFirst().prefix(4).map { "  \($0)" }
        lines.append("  options: \(outcome.options)")
        self.lines = lines
    }
}
