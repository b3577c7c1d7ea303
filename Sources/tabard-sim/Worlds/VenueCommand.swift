import ArgumentParser
import Foundation
import Simulator

/// Runs a beacon in a venue for weeks.
struct VenueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "venue", abstract: "Simulate weeks of a beacon in a venue.",
        usage: "tabard-sim venue [<options>]",
        discussion: """
            Examples:
              tabard-sim venue --days 7 --visitors 100

            The check fails if memory grows, if less than 99 % of the visitors are identified, or if the \
            board takes more than 20 recovery actions a day.
            """)

    @Option(help: "Simulated days.") var days: UInt64 = 28
    @Option(help: "Visitors per day.") var visitors: UInt64 = 300
    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption

    func run() throws {
        let start = ContinuousClock.now
        let venue = VenueRun(days: days, visitorsPerDay: visitors, seed: seed) { day in
            ProgressText.show(
                "day \(day) of \(days), \(Rate.text(Double(day) * 24, since: start)) simulated hours/s")
        }
        ProgressText.clear()
        print(
            "venue: \(days) days, \(venue.visitorCount) visitors, \(venue.identityCount) identified, "
                + "\(venue.encounterCount) encounters, \(venue.reportCount) reports, "
                + "log \(venue.logByteCount / 1_048_576) MiB, \(venue.recoveryActions) recovery actions, "
                + "\(Self.text(memoryGrowth: venue.memoryGrowth)), "
                + "\(Rate.text(Double(days) * 24, since: start)) simulated hours/s")
        let replay = version.world(
            seed: seed, ["venue", "--days", "\(days)", "--visitors", "\(visitors)"])
        if let growth = venue.memoryGrowth, growth != 0 { try replay.fail("memory grew by \(growth) bytes") }
        guard venue.identityCount * 100 >= venue.visitorCount * 99 else {
            try replay.fail(
                "visitors were missed: \(venue.identityCount) of \(venue.visitorCount) identified")
        }
        let limit = days * VenueRun.recoveryActionsLimitPerDay
        guard venue.recoveryActions <= limit else {
            try replay.fail(
                "\(venue.recoveryActions) recovery actions without a fault, more than \(limit)")
        }
    }

    private static func text(memoryGrowth: Int64?) -> String {
        guard let growth = memoryGrowth else { return "memory is measured from the second day on" }
        let change = growth == 0 ? "the same to the byte" : "grown by \(growth) bytes"
        return "memory \(change) after the first day"
    }
}
