import Archive
import ArgumentParser
import CommandLineText
import Reports

struct MarkersCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "markers",
        abstract: "List the moments that wearers marked.",
        usage: "tabardctl markers [<options>]",
        discussion: """
            Examples:
              tabardctl markers --since 2h
              tabardctl markers --board Foyer --csv --output markers.csv

            A wearer marks a moment with the board's button, or with `tabard mark` on the board. The \
            board notes it up to a second late.
            """)

    @OptionGroup var time: TimeOptions
    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let listing = output.listing()
        var filter = EncounterFilter()
        (filter.since, filter.until) = try time.times()
        let archive = try archive.open(.reading)
        let boards = try time.boards(of: archive)
        filter.boards = Set(boards.map(\.identity))
        try LockedPagesText.printNote(archive, boards)
        let markers = try archiving { () throws(ArchiveError) in try archive.markers(matching: filter) }
        try listing.write(MarkersDocument(markers)) { () throws(Failure) in
            guard !markers.isEmpty else {
                let all = try archiving { () throws(ArchiveError) in try archive.markers() }
                Console.report(AbsenceText.markers.text(of: all.count, time.description))
                return
            }
            print(markers, boards, on: listing)
        }
    }

    private func print(_ markers: [RecordedMarker], _ boards: [ArchivedBoard], on listing: Listing) {
        let labels = Dictionary(
            boards.map { ($0.identity, $0.label) }, uniquingKeysWith: { first, _ in first })
        let clock = TimeText()
        var table = TextTable([
            .init(title: "TIME"), .init(title: "ERROR", isNumber: true, narrowing: .wrapped(minimum: 8)),
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)), .init(title: "BY"),
        ])
        for marker in markers {
            table.append([
                clock.moment(marker.moment.time, on: marker.moment.timeline), clock.error(of: marker.moment),
                labels[marker.board] ?? marker.board.short, marker.origin.text,
            ])
        }
        listing.print(table)
        Console.note("times are \(clock.zoneName)")
    }
}
