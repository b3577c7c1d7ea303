import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Reports

struct ContactsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "List which of your boards met each other.",
        usage: "tabardctl contacts [<options>]",
        discussion: """
            Examples:
              tabardctl contacts --since 7d
              tabardctl contacts --board Ward-3 --minimum-duration 15min
              tabardctl contacts --both-sides --csv --output contacts.csv
              tabardctl contacts --totals --limit 10 --since 7d
              tabardctl contacts --at-beacons --since 1d

            A contact is the time in which two boards of the archive were in range of each other, \
            whatever identities they showed. Often only one of both hears the other: HEARD BY says \
            which, and strength is as that one measured it. The archive knows a board by the \
            identities in its own log, so fetch all boards first.

            A distance is an interval, and needs a calibration and the models of both boards \
            (docs/distance.md).

            --totals has one row for each pair: how often and how long both were together, the longest \
            first.

            --at-beacons lists who was certainly near the same beacon at the same time, even if they \
            did not hear each other. The table has local times; JSON and CSV have UTC.
            """)

    @Flag(help: "Only contacts in which each board heard the other.")
    var bothSides = false

    @Flag(help: "List boards that were near the same beacon at the same time.")
    var atBeacons = false

    @Flag(help: "Sum up the contacts of each pair, the longest together first.")
    var totals = false

    @Option(help: ArgumentHelp("With --totals: only so many pairs.", valueName: "count"))
    var limit: Int?

    @OptionGroup var contacts: ContactOptions
    @OptionGroup var calibration: CalibrationOptions
    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        if bothSides, atBeacons {
            throw ValidationError("--both-sides and --at-beacons cannot both be given")
        }
        if totals, atBeacons { throw ValidationError("--totals and --at-beacons cannot both be given") }
        guard let limit else { return }
        guard totals else { throw ValidationError("--limit needs --totals") }
        guard limit > 0 else { throw ValidationError("--limit \(limit): write 1 or more") }
    }

    func execute() throws(Failure) {
        let listing = output.listing()
        // Options that cannot be read are reported before an archive that cannot be opened.
        _ = try contacts.filter()
        let archive = try archive.open(.reading)
        let filter = try filter(archive)
        let boards = try BoardChoice.boards(named: contacts.time.board, of: archive)
        try LockedPagesText.printNote(archive, boards)
        let distances = try calibration.distances(in: archive)
        let names = BoardNames(try archiving { () throws(ArchiveError) in try archive.boards() })
        if atBeacons {
            try listVisits(archive, filter, names, listing)
        } else if totals {
            try listTotals(archive, filter, names, listing)
        } else {
            try listContacts(archive, filter, names, distances, listing)
        }
    }

    /// The contacts that the options choose.
    func filter(_ archive: Archive) throws(Failure) -> ContactFilter {
        var filter = try contacts.filter()
        filter.needsBothSides = bothSides
        let boards = try BoardChoice.boards(named: contacts.time.board, of: archive)
        if !contacts.time.board.isEmpty { filter.boards = Set(boards.map(\.identity)) }
        return filter
    }

    private func listContacts(
        _ archive: Archive, _ filter: ContactFilter, _ names: BoardNames, _ distances: ContactDistances,
        _ listing: Listing
    ) throws(Failure) {
        guard listing.format == .table else {
            return try listing.write { body throws(ArchiveError) in
                try archive.forEachContact(matching: filter) {
                    body(ContactDocument($0, names: names, distances))
                }
            }
        }
        var table = ContactTable(names: names, distances, time: TimeText())
        try archiving { () throws(ArchiveError) in
            try archive.forEachContact(matching: filter) {
                table.append($0)
                return true
            }
        }
        try listing.print(table, absence: absence(archive))
    }

    private func absence(_ archive: Archive) throws(Failure) -> String {
        let contacts = try archiving { () throws(ArchiveError) in try archive.contactCount() }
        return AbsenceText.contacts.text(of: contacts, givenOptions)
    }

    private func listTotals(
        _ archive: Archive, _ filter: ContactFilter, _ names: BoardNames, _ listing: Listing
    ) throws(Failure) {
        var totals = PairTotals(since: filter.since, until: filter.until)
        try archiving { () throws(ArchiveError) in
            try archive.forEachContact(matching: filter) {
                totals.add($0)
                return true
            }
        }
        let all = totals.ranked(names)
        let shown = all.prefix(limit ?? .max)
        guard listing.format == .table else {
            return try listing.write { body throws(ArchiveError) in
                for (pair, sum) in shown {
                    guard body(PairTotalDocument(pair, sum, names: names)) else { return }
                }
            }
        }
        var table = PairTotalTable(totals, names: names, time: TimeText())
        for (pair, sum) in shown { table.append(pair, sum) }
        try listing.print(table, absence: absence(archive))
    }

    private func listVisits(
        _ archive: Archive, _ filter: ContactFilter, _ names: BoardNames, _ listing: Listing
    ) throws(Failure) {
        guard listing.format == .table else {
            return try listing.write { body throws(ArchiveError) in
                try archive.forEachCommonVisit(matching: filter) {
                    body(CommonVisitDocument($0, names: names))
                }
            }
        }
        var table = CommonVisitTable(names: names, time: TimeText())
        try archiving { () throws(ArchiveError) in
            try archive.forEachCommonVisit(matching: filter) {
                table.append($0)
                return true
            }
        }
        try listing.print(
            table,
            absence: "no two boards were near one beacon at the same time"
                + (givenOptions.isEmpty ? "" : " (\(givenOptions.joined(separator: ", ")))"))
    }

    /// The options as given.
    var givenOptions: [String] { contacts.description + (bothSides ? ["both sides"] : []) }
}
