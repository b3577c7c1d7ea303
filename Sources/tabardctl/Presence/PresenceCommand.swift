import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import LogContents
import Reports

struct PresenceCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence", abstract: "Show how many were near a board, and for how long.",
        usage: "tabardctl presence [<options>]",
        discussion: """
            Examples:
              tabardctl presence --board Foyer --since 2026-11-21 --until 2026-11-22
              tabardctl presence --board Foyer --since 28d --by day
              tabardctl presence --by hour --csv --output presence.csv

            A phone changes its identity every few minutes, so identities are not people. PEAK, the \
            most devices at one moment, is about the least number of people, if each carries one. \
            AT MOST counts each identity as a person. MEAN is the mean number at a moment. A board of \
            the archive counts once, by the identities in its log. Devices that are near for a week \
            are left out; others that stay count, and people without such a device do not.

            --since and --until are widened to whole quarters of an hour. Times in which nobody was \
            near are left out: see `tabardctl coverage` for whether the board listened then. The table \
            has local times; JSON and CSV have UTC.
            """)

    /// The length of a row.
    enum Unit: String, CaseIterable, ExpressibleByArgument {
        case quarterHour = "quarter-hour"
        case hour, day

        init?(argument: String) { self.init(rawValue: argument) }
    }

    @Option(help: ArgumentHelp("Length of a row: quarter-hour, hour or day.", valueName: "unit"))
    var by: Unit = .hour

    @OptionGroup var time: TimeOptions
    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let listing = output.listing()
        let times = try time.times()
        let archive = try archive.open(.reading)
        let boards = try time.boards(of: archive)
        try LockedPagesText.printNote(archive, boards)
        let names = BoardNames(boards)
        let zone = TimeText()
        let list = { (body: (PresencePeriod) -> Bool) throws(ArchiveError) in
            try PresencePeriods.forEach(
                in: archive, boards: Set(boards.map(\.identity)), since: times.since, until: times.until,
                by: by, zone, body)
        }
        guard listing.format == .table else {
            return try listing.write { body throws(ArchiveError) in
                try list { body(PresenceRow($0, name: names[$0.board])) }
            }
        }
        var table = PresenceTable(unit: by, names: names, time: zone)
        try archiving { () throws(ArchiveError) in
            try list {
                table.append($0)
                return true
            }
        }
        try listing.print(
            table,
            absence: "nobody was near"
                + (time.description.isEmpty ? "" : ": \(time.description.joined(separator: ", "))"))
    }
}
