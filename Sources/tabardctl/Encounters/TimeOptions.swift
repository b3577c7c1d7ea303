import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import Reports

/// The board and the time range to show.
struct TimeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only what ended at or after this time: 2026-11-21, 2026-11-21T09:30 (local time), with a zone "
                + "(Z, +01:00), or an age (30min, 2h, 7d).", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only what began before this time, in the same forms.", valueName: "time"))
    var until: String?

    @OptionGroup var boards: BoardOptions

    var board: [String] { boards.names }

    func times() throws(Failure) -> (since: WallClockTime?, until: WallClockTime?) {
        let range = try MomentRange(since: since, until: until)
        return (range.since, range.until)
    }

    /// The chosen boards; at least one.
    func boards(of archive: Archive) throws(Failure) -> [ArchivedBoard] {
        try BoardChoice.boards(named: board, of: archive)
    }

    /// The options as given, for a report's footer.
    var description: [String] {
        [since.map { "since \($0)" }, until.map { "until \($0)" }].compactMap(\.self)
            + board.map { "board \($0)" }
    }
}
