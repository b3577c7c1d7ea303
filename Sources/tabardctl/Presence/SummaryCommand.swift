import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import LogContents
import Reports

struct SummaryCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary", abstract: "Sum up a day: who listened, how many came, who met.",
        usage: "tabardctl summary [<options>]",
        discussion: """
            Examples:
              tabardctl summary
              tabardctl summary --since 2026-11-21 --until 2026-11-22
              tabardctl summary --board Foyer --since 7d --json

            Without --since and --until it sums up the last day, in local time, of which the archive \
            has something. Less than 100 % in LISTENED means that somebody may have been near unheard. \
            PEAK is the most at one moment, with the quarter of an hour in which that was. JSON and CSV \
            have UTC.
            """)

    @OptionGroup var time: TimeOptions
    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let listing = output.listing()
        let times = try time.times()
        let archive = try archive.open(.reading)
        let boards = try time.boards(of: archive)
        try LockedPagesText.printNote(archive, boards)
        let zone = TimeText()
        let day = try DaySummary(archive: archive, boards: boards, times, zone)
        try listing.write(day.document) { () throws(Failure) in
            listing.print(day.title(zone))
            listing.print(day.table(zone))
            for line in day.meetings { listing.print(line) }
            try listing.finish()
            Console.note("times are \(zone.zoneName)")
        }
    }
}
