import ArgumentParser
import Foundation
import Outbreaks
import Schemes
import Simulator

/// Runs an illness among wearers, from the first meeting to the last match.
struct OutbreakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbreak",
        abstract:
            "Wearers meet for weeks, one falls ill and reports: those who were near find it, nobody else does.",
        discussion: """
            Each scheme is tried from end to end: boards with the whole agent, their logs in an archive, the patient's \
            report, to which he agrees, the authority's answer, and what the others find. When the time for contacts is over \
            nobody finds anything: in archives as they were, in archives that were told to forget, and on the boards.
            """)

    @Option(
        help: ArgumentHelp(
            "Only this scheme, alone: \(SchemeID.traced.map { "\($0.name)" }.joined(separator: ", ")).",
            valueName: "name"))
    var scheme: SchemeID?
    @Option(help: "How many wearers, the patient among them.") var wearers = 9
    @Option(help: "Days up to the diagnosis.") var days: UInt64 = 28
    @Option(help: "How many of them are reported.") var infectious: UInt64 = 7
    @Option(help: "The seed.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    func validate() throws {
        guard (6...100).contains(wearers) else { throw ValidationError("--wearers: 6 to 100") }
        guard (2...28).contains(days) else { throw ValidationError("--days: 2 to 28") }
        // No authority accepts older keys of Exposure Notification.
        guard (1..<min(days, 14)).contains(infectious) else {
            throw ValidationError("--infectious: 1 to less than --days, 13 at most")
        }
    }

    func run() throws {
        let start = ContinuousClock.now
        var options = Outbreak.Options()
        options.wearerCount = wearers
        options.days = days
        options.infectiousDays = infectious
        options.seed = seed
        let trial: OutbreakTrial
        do {
            trial = try OutbreakTrial(scheme.map { [$0] } ?? SchemeID.traced, options: options) {
                ProgressText.show(
                    "day \($0) of \($1), \(Rate.text(Double($0) * 24, since: start)) simulated hours/s")
            }
        } catch {
            try replay.fail("it did not come to an end: \(error)")
        }
        ProgressText.clear()
        print(
            "outbreak: \(wearers) wearers, \(days) days, seed \(seed); \(trial.encounterCount) encounters recorded"
        )
        for verdict in trial.verdicts {
            print(
                """
                  \(verdict.scheme.name): \(verdict.meetingCount) meetings with the patient, \
                \(verdict.missedCount) missed; \(verdict.findingCount) readings matched, \(verdict.falseCount) wrongly; \
                \(verdict.alarmedBystanderCount) of \(verdict.bystanderCount) bystanders alarmed; when the time is over \
                \(verdict.expiredFindingCount) matched, in archives that forgot \(verdict.forgottenFindingCount), on boards \
                \(verdict.erasedFindingCount)
                    handed over: \(verdict.handedOver.joined(separator: "; "))
                """)
        }
        for violation in trial.violations.prefix(5) { print("  \(violation)") }
        if let violation = trial.violations.first {
            try replay.fail("controllers found something wrong with their hosts: \(violation)")
        }
        let failed = trial.verdicts.filter { !$0.holds }.map { "\($0.scheme.name)" }
        guard failed.isEmpty else {
            try replay.fail(
                "somebody was not found, or told what is not true: \(failed.joined(separator: ", "))")
        }
    }

    private var replay: WorldReplay {
        version.world(
            seed: seed,
            ["outbreak"] + (scheme.map { ["--scheme", "\($0.name)"] } ?? [])
                + ["--wearers", "\(wearers)", "--days", "\(days)", "--infectious", "\(infectious)"])
    }
}

extension SchemeID: ExpressibleByArgument {
    public init?(argument: String) {
        guard let scheme = Self.traced.first(where: { "\($0.name)" == argument }) else { return nil }
        self = scheme
    }

    public static var allValueStrings: [String] { traced.map { "\($0.name)" } }
}
