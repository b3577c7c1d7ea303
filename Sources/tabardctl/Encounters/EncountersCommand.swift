import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Foundation
import LogContents
import Reports

struct EncountersCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "encounters", abstract: "List encounters: who, when, how long, how strong.",
        usage: "tabardctl encounters [<options>]",
        discussion: """
            Examples:
              tabardctl encounters --since 2h
              tabardctl encounters --board Foyer --minimum-duration 10min
              tabardctl encounters --since 2026-11-21 --json | jq '.encounters[].label'
              tabardctl encounters --csv > encounters.csv
              tabardctl encounters --readings --since 1h > readings.csv
              tabardctl encounters --refused --since 7d
              tabardctl encounters --without-written --since 7d

            An encounter is one identity in range of one board. Signal strength is in dBm and does \
            not measure distance. The table has local times; JSON and CSV have UTC.

            --readings prints a row for each RSSI reading of boards with encounters.raw = true. \
            Other boards record samples only. "written" marks an identity that the peer wrote to the \
            board, which anybody can do in another's name; "claimed" marks an encounter of which the \
            board measured nothing. --without-written leaves out both. --refused counts the invalid identities that peers \
            presented, by scheme and reason.
            """)

    @Flag(help: "Print every RSSI reading, as CSV or JSON; needs encounters.raw = true.")
    var readings = false

    @Flag(help: "Print the identities that boards refused, and why, instead of encounters.")
    var refused = false

    @OptionGroup var filter: FilterOptions
    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        if readings, output.format == .table {
            throw ValidationError("--format table and --readings cannot both be given; write csv or json")
        }
        if refused, readings { throw ValidationError("--refused and --readings cannot both be given") }
        if refused, filter.identity != nil || filter.minimumDuration != nil {
            throw ValidationError(
                "--refused filters by board, scheme and time only; omit --identity and --minimum-duration")
        }
    }

    func execute() throws(Failure) {
        let listing = output.listing(usual: readings ? .csv : .table)
        var filter = try filter.filter()
        let archive = try archive.open(.reading)
        try self.filter.choose(&filter, in: archive)
        let isForPrograms = listing.format != .table
        if !isForPrograms { try BoardChoice.requireBoard(in: archive) }
        try LockedPagesText.printNote(archive, filter)
        if refused {
            try list(
                archiving { () throws(ArchiveError) in try archive.refusals(matching: filter) }, archive,
                listing)
        } else if readings {
            try listReadings(archive, filter, listing)
        } else {
            try list(archive, filter, listing)
        }
        // Programs first get a valid list with no line.
        try BoardChoice.requireBoard(in: archive)
    }

    private func listReadings(
        _ archive: Archive, _ filter: EncounterFilter, _ listing: Listing
    ) throws(Failure) {
        var encounterCount = 0
        var readingCount = 0
        try listing.write { body throws(ArchiveError) in
            try archive.forEachEncounterWithReadings(matching: filter) { encounter in
                encounterCount += 1
                readingCount += encounter.readings.count
                return ReadingDocument.rows(encounter).allSatisfy(body)
            }
        }
        try BoardChoice.requireBoard(in: archive)
        guard readingCount == 0 else { return }
        Console.report(
            encounterCount == 0
                ? try absence(archive) : "no readings; a board records them with encounters.raw = true")
    }

    private func list(
        _ archive: Archive, _ filter: EncounterFilter, _ listing: Listing
    ) throws(Failure) {
        let boards = try archiving { () throws(ArchiveError) in
            OwnBoards(try archive.servedIdentities(), people: try archive.labels())
        }
        guard listing.format == .table else {
            return try listing.write { body throws(ArchiveError) in
                try archive.forEachEncounter(matching: filter) {
                    body(EncounterDocument($0, among: boards))
                }
            }
        }
        let encounters = try archiving { () throws(ArchiveError) in
            try archive.encounterSummaries(matching: filter)
        }
        try table(encounters, boards, archive, listing)
        try printRefusals(archive, filter)
    }

    private func list(
        _ refusals: [RefusalSummary], _ archive: Archive, _ listing: Listing
    ) throws(Failure) {
        switch listing.format {
        case .json: try listing.write("the refused identities") { try RefusalDocument.json(refusals) }
        case .csv: try listing.write(Data(RefusalDocument.csv(refusals).utf8))
        case .table:
            guard !refusals.isEmpty else {
                let all = try archiving { () throws(ArchiveError) in try archive.refusals() }
                Console.report(
                    AbsenceText.refusals.text(of: all.reduce(0) { $0 + $1.count }, filter.description))
                return try listing.finish()
            }
            let time = TimeText()
            listing.print(
                RefusalTable(refusals: refusals, labels: try BoardChoice.labels(archive), time: time).table)
            try listing.finish()
            Console.note("times are \(time.zoneName)")
        }
    }

    /// Notes the number of refused identities, because a person who searches for an identity must know of
    /// them.
    private func printRefusals(_ archive: Archive, _ filter: EncounterFilter) throws(Failure) {
        let refusals = try archiving { () throws(ArchiveError) in try archive.refusals(matching: filter) }
        let count = refusals.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        Console.note(
            "\(Count.text(count, "identity was", "identities were")) refused; --refused shows why")
    }

    private func table(
        _ encounters: [EncounterSummary], _ boards: OwnBoards, _ archive: Archive, _ listing: Listing
    ) throws(Failure) {
        var table = EncounterListTable(
            boards: boards, labels: try BoardChoice.labels(archive), time: TimeText())
        encounters.forEach { table.append($0) }
        if encounters.isEmpty { Console.report(try absence(archive)) } else { listing.print(table.table) }
        try listing.finish()
        if !encounters.isEmpty { Console.note(table.footnote) }
    }

    private func absence(_ archive: Archive) throws(Failure) -> String {
        let count = try archiving { () throws(ArchiveError) in try archive.encounterCount() }
        return AbsenceText.encounters.text(of: count, filter.description)
    }
}
