import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import Reports

struct ClocksCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "clocks", abstract: "Show how each boot's clock was determined.",
        usage: "tabardctl clocks [<options>]",
        discussion: """
            Examples:
              tabardctl clocks
              tabardctl clocks --board Foyer --json

            A board may have no clock. Its times then come from a computer that set its clock, from \
            the system clock, or from the order of the log. docs/time.md explains each basis and the error.

            REJECTED counts clock samples that contradict the others. The command leaves these \
            samples out.
            """)

    @OptionGroup var boards: BoardOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let listing = try output.listing()
        let archive = try archive.open(.reading)
        var rows: [ClockRow] = []
        var table = TextTable([
            .init(title: "BOARD", narrowing: .wrapped(minimum: 10)), .init(title: "BOOT"),
            .init(title: "FROM"),
            .init(title: "TO"), .init(title: "ERROR", isNumber: true, narrowing: .wrapped(minimum: 10)),
            .init(title: "BASIS", narrowing: .dropped(rank: 3)),
            .init(title: "USED", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "REJECTED", isNumber: true, narrowing: .dropped(rank: 2)),
        ])
        let time = TimeText()
        let boards = try BoardChoice.boards(named: self.boards.names, of: archive)
        try LockedPagesText.printNote(archive, boards)
        for summary in boards {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: summary.identity, withTracks: false)
            }
            rows += ClockRow.rows(history)
            for (boot, placement) in zip(history.boots, history.placements()) {
                if let row = row(boot, placement, time) { table.append([summary.label] + row) }
            }
        }
        guard !rows.isEmpty else {
            throw Failure(.noInput, "the archive has no log entries; fetch some with `tabardctl sync`")
        }
        guard listing.format == .table else {
            return try listing.write("the clocks") { try ClockRow.json(rows) }
        }
        listing.print(table)
        try listing.finish()
        Console.note("times are \(time.zoneName)")
    }

    /// One boot's row. The error is the larger one of its first and last moment.
    private func row(_ boot: BootHistory, _ placement: BootPlacement, _ time: TimeText) -> [String]? {
        guard let range = boot.knownMoments else { return nil }
        let timeline = placement.timeline(of: [range.lowerBound, range.upperBound])
        var error: Interval?
        if case .wallClock(let worst) = timeline { error = worst }
        return [
            String(TimeText.boot(boot.identifier).prefix(6)),
            moment(range.lowerBound, placement, time), moment(range.upperBound, placement, time),
            time.error(
                of: timeline, error, notBefore: placement.notBefore(range.lowerBound),
                notAfter: placement.notAfter(range.upperBound)),
            placement.basis.rawValue, "\(placement.usedAnchorCount)", "\(placement.rejectedAnchorCount)",
        ]
    }

    private func moment(_ instant: Instant, _ placement: BootPlacement, _ time: TimeText) -> String {
        placement.wallClock(at: instant).map(time.dateAndTime)
            ?? TimeText.relative(placement.point(at: instant))
    }
}
