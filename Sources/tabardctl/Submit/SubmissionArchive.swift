import Archive
import ArgumentParser
import Authority
import EncounterLog
import FixedMemory
import Foundation

/// Of which board and which days something is handed over.
struct SubmissionArchive: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The wearer's board: its name, or the first digits of its log. Needed where the archive has several.",
            valueName: "board"))
    var board: String?

    @Option(help: ArgumentHelp("From that day on (UTC), as 2026-11-08.", valueName: "date"))
    var from: CalendarDate?

    @Option(help: ArgumentHelp("To that day (UTC), it included.", valueName: "date"))
    var until: CalendarDate?

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if let from, let until, from.daysSince1970 > until.daysSince1970 {
            throw ValidationError("--from is after --until; exchange them")
        }
    }

    /// From one instant until another, which is no longer in it, in milliseconds since 1970.
    ///
    /// - Parameter days: so many by now, where nobody says from when on.
    func interval(days: Int) -> Range<Int64> {
        let today = Int64(Date().timeIntervalSince1970) / 86_400
        let end = until.map { Int64($0.daysSince1970) } ?? today
        let start = from.map { Int64($0.daysSince1970) } ?? end - Int64(days) + 1
        return start * 86_400_000..<max(start, end + 1) * 86_400_000
    }

    /// One: what is handed over is one person's.
    func oneBoard(of archive: Archive) throws(Failure) -> BoardSummary {
        let boards = try BoardChoice.boards(named: board, of: archive)
        guard boards.count == 1 else {
            let names = boards.map(\.label).joined(separator: ", ")
            throw Failure(.usage, "the archive has several boards; name the wearer's with --board: \(names)")
        }
        return boards[0]
    }

    /// What a board recorded of a scheme in that time. What nobody has opened yet is said on standard error.
    func encounters(
        of scheme: LogScheme, _ interval: Range<Int64>, by board: BoardSummary, in archive: Archive
    ) throws(Failure) -> [Encounter] {
        var filter = EncounterFilter()
        filter.board = board.identity.hexadecimal
        filter.scheme = scheme
        filter.sinceMilliseconds = interval.lowerBound
        filter.untilMilliseconds = interval.upperBound
        try SealedText.note(archive, [board])
        return try archiving { () throws(ArchiveError) in try archive.encounters(matching: filter) }
    }
}
