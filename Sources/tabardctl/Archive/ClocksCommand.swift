import Archive
import ArgumentParser
import CommandLineText
import Foundation
import Reports

struct ClocksCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "clocks", abstract: "Show what the times of each start of a board rest on.",
        discussion: """
            A board may have no clock. Its times come from whoever told it the time, from its system clock, or from the \
            order of its log; docs/time.md says how, and what the error means. Readings of its clock that contradict the \
            others are thrown out, and counted here.

            Examples:
              tabardctl clocks
              tabardctl clocks --board Foyer --json
            """)

    @Flag(help: "Print a JSON array.")
    var json = false

    @Option(
        help: ArgumentHelp("Only this board: its name, or the first digits of its log.", valueName: "board"))
    var board: String?

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let archive = try archive.open(.existing)
        var filter = EncounterFilter()
        filter.board = board
        var rows: [ClockRow] = []
        var table = TextTable([
            .init(title: "BOARD"), .init(title: "START"), .init(title: "FROM"), .init(title: "TO"),
            .init(title: "ERROR", isNumber: true), .init(title: "BASIS"),
            .init(title: "USED", isNumber: true), .init(title: "REJECTED", isNumber: true),
        ])
        let time = TimeText()
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        try SealedText.note(archive, filter)
        for summary in boards where filter.admits(board: summary) {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: summary.identity)
            }
            rows += ClockRow.rows(history)
            for (boot, placement) in zip(history.boots, history.placements()) {
                if let row = row(boot, placement, time) { table.append([summary.label] + row) }
            }
        }
        guard !rows.isEmpty else {
            throw Failure(.noInput, "nothing is recorded; `tabardctl sync` fetches what boards recorded")
        }
        guard json else { return Console.print(table.text()) }
        do { Console.write(try ClockRow.json(rows)) } catch {
            throw Failure(.data, "the clocks cannot be written as JSON: \(error)")
        }
    }

    /// The error is the worse of both ends'.
    private func row(_ boot: BootHistory, _ placement: BootPlacement, _ time: TimeText) -> [String]? {
        guard let range = boot.knownMoments else { return nil }
        let timeline = placement.timeline(of: [range.lowerBound, range.upperBound])
        var error: Int64?
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

    private func moment(_ monotonic: Int64, _ placement: BootPlacement, _ time: TimeText) -> String {
        let milliseconds = placement.milliseconds(at: monotonic)
        return placement.isOnWallClock ? time.dateAndTime(milliseconds) : TimeText.relative(milliseconds)
    }
}
