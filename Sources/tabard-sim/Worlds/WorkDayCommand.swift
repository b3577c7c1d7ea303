import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Measures what each duty finds in a working day, and what it costs.
struct WorkDayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work-day",
        abstract: "Compare the values of radio.duty in working days of a wearer.",
        usage: "tabard-sim work-day [<options>]",
        discussion: """
            Examples:
              tabard-sim work-day --seeds 10
              tabard-sim work-day --duty saver --seed 7

            In nine hours colleagues come near 60 times, for seconds to hours. The output has the \
            share of contacts of 2 and of 5 minutes that are in the log, the time to the first \
            reading, and what it costs: time listened and sent, wakes, bytes on flash. The check \
            fails if fewer than 99 % of contacts of 5 minutes are found, if saver listens for more \
            than 25 % of the time, or if the log states more listening than there was \
            (docs/energy.md).
            """)

    @Option(help: "Run only this duty.") var duty: BoardDuty?
    @Option(help: "First seed.") var seed: UInt64 = 1
    @Option(help: "Number of days, 1 to 1000.") var seeds: UInt64 = 1
    @Option(help: "Number of times that somebody comes near, 0 to 1000.") var visits = 60
    @Option(help: "Length of the day in hours, 1 to 24.") var hours: UInt64 = 9
    @Flag(help: "Print the agent's log with virtual times.") var trace = false
    @OptionGroup var version: VersionOption

    func validate() throws {
        guard (1...1_000).contains(seeds) else { throw ValidationError("--seeds must be from 1 to 1000") }
        guard (0...1_000).contains(visits) else { throw ValidationError("--visits must be from 0 to 1000") }
        guard (1...24).contains(hours) else { throw ValidationError("--hours must be from 1 to 24") }
    }

    private static let layout = ColumnLayout(widths: [12], numberWidth: 11)

    func run() throws {
        print(
            "\(seeds) \(seeds == 1 ? "day" : "days") of \(hours) h from seed \(seed) on, \(visits) visits each"
        )
        print(
            Self.layout.row(
                "", "2 min %", "5 min %", "median s", "95 % in s", "listening", "stated %", "covered %",
                "wakes/s", "sending %", "KiB/h"))
        var complaints = 0
        for duty in duty.map({ [$0] }) ?? BoardDuty.allCases {
            let summary = WorkDaySummary(duty, days(of: duty))
            print(row(of: summary))
            guard let complaint = summary.complaint else { continue }
            complaints += 1
            let words = ["work-day", "--duty", duty.rawValue, "--visits", "\(visits)", "--hours", "\(hours)"]
            let replay = version.worlds(from: seed, words + ["--seed", "\(seed)", "--seeds", "\(seeds)"])
            print(replay.failure("\(duty.rawValue): \(complaint)"))
        }
        if complaints > 0 { throw ExitCode(EX_SOFTWARE) }
    }

    private func days(of duty: BoardDuty) -> [WorkDay] {
        defer { ProgressText.clear() }
        return (seed..<seed + seeds).map { seed in
            WorkDay(
                duty: duty, visits: visits, hours: hours, seed: seed,
                onLine: trace ? { print("  \($0)") } : nil
            ) { hour in
                ProgressText.show("\(duty.rawValue): seed \(seed), hour \(hour) of \(hours)")
            }
        }
    }

    private func row(of summary: WorkDaySummary) -> String {
        func number(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
        return Self.layout.row(
            summary.duty.rawValue,
            number(summary.foundPercent(lasting: WorkDay.contactLength.seconds), 2),
            number(summary.foundPercent(lasting: WorkDaySummary.longContactSeconds), 2),
            number(summary.latencySeconds(atShare: 0.5), 1), number(summary.latencySeconds(atShare: 0.95), 1),
            number(summary.mean(\.listenPercent), 1) + " %", number(summary.mean(\.statedListenPercent), 1),
            number(summary.mean(\.coveredPercent), 2), number(summary.mean(\.wakesPerSecond), 2),
            number(summary.mean(\.transmitPercent), 2),
            number(summary.mean { Double($0.flashBytesPerHour) / 1_024 }, 0))
    }
}

extension BoardDuty: ExpressibleByArgument {}
