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
            "Check exposure notification end to end, per scheme.",
        usage: "tabard-sim outbreak [<options>]",
        discussion: """
            Examples:
              tabard-sim outbreak
              tabard-sim outbreak --scheme herald --wearers 20 --seed 3

            Wearers meet for weeks. One becomes ill and submits a report with consent. The command \
            checks that all contacts find the patient and that no other wearer does. It runs boards \
            with the whole agent, an archive, the authority's answer and the search.

            After the retention time no search may find anything: in unchanged archives, in archives \
            after `tabardctl forget`, and on the boards.
            """)

    @Option(
        help: ArgumentHelp(
            "Run only this scheme: \(SchemeID.traced.map { "\($0.name)" }.joined(separator: ", ")).",
            valueName: "name"))
    var scheme: SchemeID?
    @Option(help: "Number of wearers with the patient, 6 to 100.") var wearers = 9
    @Option(help: "Days before the diagnosis, 2 to 28.") var days: UInt64 = 28
    @Option(help: "Number of these days in the report, 1 to 13.") var infectious: UInt64 = 7
    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    func validate() throws {
        guard (6...100).contains(wearers) else { throw ValidationError("--wearers must be from 6 to 100") }
        guard (2...28).contains(days) else { throw ValidationError("--days must be from 2 to 28") }
        // No authority takes older keys of Exposure Notification.
        guard (1..<min(days, 14)).contains(infectious) else {
            throw ValidationError("--infectious must be from 1 to 13 and less than --days")
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
            try replay.fail("the simulation did not finish: \(error)")
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
                \(verdict.alarmedBystanderCount) of \(verdict.bystanderCount) bystanders alarmed; \
                after expiry \
                \(verdict.expiredFindingCount) matched, in archives that forgot \(verdict.forgottenFindingCount), on boards \
                \(verdict.erasedFindingCount)
                    submitted: \(verdict.submitted.joined(separator: "; "))
                """)
        }
        for violation in trial.violations.prefix(5) { print("  \(violation)") }
        if let violation = trial.violations.first {
            try replay.fail("controllers reported violations by their hosts: \(violation)")
        }
        let failed = trial.verdicts.filter { !$0.holds }.map { "\($0.scheme.name)" }
        guard failed.isEmpty else {
            try replay.fail(
                "contacts were missed, or others were notified: \(failed.joined(separator: ", "))")
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
