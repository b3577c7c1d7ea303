import ArgumentParser
import Foundation
import Simulator

/// Measures the air time that identifying visitors takes.
struct QuietDayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quiet-day",
        abstract:
            "Simulate a day of a beacon in a quiet venue.",
        usage: "tabard-sim quiet-day [<options>]",
        discussion: """
            Examples:
              tabard-sim quiet-day
              tabard-sim quiet-day --visitors 100 --hours 8 --seed 3

            The beacon must read each visitor exactly once and scan nearly all the time. The output \
            has the number of reads, the bytes sent and the scan time, with and without the pauses \
            between scan windows (radio.scan_window_milliseconds). docs/formal-test.md has more.
            """)

    @Option(help: "Number of visitors, 1 to 1000000.") var visitors = 1_000
    @Option(help: "Simulated hours, 1 to 1000.") var hours: UInt64 = 24
    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Setting of the board; may be repeated.", valueName: "section.key=value"))
    var options: [String] = []

    static let leastScanPercent = 95.0

    func validate() throws {
        guard (1...1_000).contains(hours) else { throw ValidationError("--hours must be from 1 to 1000") }
        guard (1...1_000_000).contains(visitors) else {
            throw ValidationError("--visitors must be from 1 to 1000000")
        }
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
            try replay.fail("some visitors were not read exactly once: \(reads)")
        }
        guard day.scanPercent >= Self.leastScanPercent else {
            try replay.fail(
                "scanning \(day.scanPercent) % of the time, less than \(Self.leastScanPercent) %")
        }
    }
}
