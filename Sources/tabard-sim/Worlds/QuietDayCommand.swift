import ArgumentParser
import Foundation
import Simulator

/// Measures the air time that identifying visitors takes.
struct QuietDayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quiet-day",
        abstract:
            "A beacon in a quiet venue for a day: each visitor must be read once, and the radio listen nearly always.",
        discussion: """
            Prints how often payloads were read, what the beacon sent, and how much of the day it scanned: told to, and with \
            its receiver on, which is on for a window in each interval (radio.scan_window_milliseconds). \
            docs/formal-test.md says more.
            """)

    @Option(help: "How many visitors.") var visitors = 1_000
    @Option(help: "Simulated hours.") var hours: UInt64 = 24
    @Option(help: "The seed.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A setting of the board's.", valueName: "section.key=value"))
    var options: [String] = []

    static let leastScanPercent = 95.0

    func validate() throws {
        guard (1...1_000).contains(hours) else { throw ValidationError("--hours: 1 to 1000") }
        guard (1...1_000_000).contains(visitors) else { throw ValidationError("--visitors: 1 to 1000000") }
    }

    func run() throws {
        let start = ContinuousClock.now
        let day = QuietDay(visitors: visitors, hours: hours, seed: seed, options: options) { hour in
            ProgressText.show(
                "hour \(hour) of \(hours), \(Rate.text(Double(hour), since: start)) simulated hours/s")
        }
        ProgressText.clear()
        let reads = day.visitorsByReadCount.sorted { $0.key < $1.key }
            .map { "\($0.value) read \($0.key) times" }.joined(separator: ", ")
        let use = day.airUse
        print(
            """
            quiet day: \(visitors) visitors in \(hours) h, seed \(seed): \(reads)
              \(day.encounterCount) encounters, \(day.identifiedEncounterCount) identified, \(day.linkCount) links
              sent: \(use.advertCount) adverts of 3 packets, \(use.advertByteCount) bytes; \
            \(use.linkPacketCount) packets on links, \(use.linkByteCount) bytes, \
            \(use.linkByteCount / UInt64(visitors)) per visitor
            """)
        print(
            String(
                format: "  transmitting %.3f %% of the time; scanning %.2f %%, with the receiver on %.2f %%",
                day.transmitPercent, day.scanPercent, day.listenPercent))
        let replay = version.world(
            seed: seed,
            ["quiet-day", "--visitors", "\(visitors)", "--hours", "\(hours)"]
                + options.flatMap { ["--set", $0] })
        guard day.isEachReadOnce else {
            try replay.fail("not every visitor was read once and once only: \(reads)")
        }
        guard day.scanPercent >= Self.leastScanPercent else {
            try replay.fail(
                "scanning \(day.scanPercent) % of the time, less than \(Self.leastScanPercent) %")
        }
    }
}
