import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Exposure
import FixedMemory
import Foundation
import Reports
import Schemes

/// The options of all `tabardctl match` commands: the boards, the reference time, and the format.
struct MatchOptions: ParsableArguments {
    @OptionGroup var output: CSVOutputOptions

    @Option(
        help: ArgumentHelp(
            "Match as of this time; default: now. Older encounters than the scheme keeps do not match.",
            valueName: "time"))
    var asOf: String?

    @OptionGroup var boards: BoardOptions
    @OptionGroup var written: WrittenOptions
    @OptionGroup var archive: EvidenceOptions

    func now() throws(Failure) -> WallClockTime { try MomentArgument.time(asOf, "--as-of") }

    /// The boards to search, and whether written identities count. A note on standard error reports locked
    /// pages.
    func filter(in archive: Archive) throws(Failure) -> EncounterFilter {
        var filter = EncounterFilter()
        if output.listing().format == .table { try BoardChoice.requireBoard(in: archive) }
        filter.boards = try BoardChoice.identities(named: boards.names, of: archive)
        filter.excludesWritten = written.withoutWritten
        try LockedPagesText.printNote(archive, filter)
        return filter
    }

    /// The number of pages that are not in the encounters, because nothing vouches for them.
    func leftOutPageCount(_ archive: Archive) throws(Failure) -> Int {
        let all = try archiving { () throws(ArchiveError) in try archive.boards() }
        let chosen = boards.names.isEmpty ? all : try BoardChoice.boards(named: boards.names, of: archive)
        var count = 0
        for board in chosen {
            let leftOut = try archiving { () throws(ArchiveError) in
                try archive.leftOutPages(of: board.identity)
            }
            count += leftOut.reduce(0) { $0 + $1.pageCount }
        }
        return count
    }

    /// Reports the encounters that could not match.
    static func printNote(_ counts: SearchCounts, days: Int) {
        if counts.undated > 0 {
            Console.report(
                "\(Count.text(counts.undated, "encounter has", "encounters have")) no wall-clock time and "
                    + "cannot match; see `tabardctl clocks`"
            )
        }
        if counts.lost > 0 {
            Console.report(
                "\(Count.text(counts.lost, "encounter")) lost the identity with pages of the log")
        }
        if counts.unchecked > 0 {
            Console.report(
                "\(Count.text(counts.unchecked, "encounter has", "encounters have")) a clock that nobody checked; "
                    + "they may match at another time")
        }
        if counts.expired > 0 {
            Console.report(
                "\(Count.text(counts.expired, "encounter is", "encounters are")) more than "
                    + "\(Count.text(days, "day")) old and cannot match")
        }
    }
}

extension Failure {
    init(_ error: ArchivedSearchError) {
        switch error {
        case .archive(let error): self.init(error)
        case .cryptography:
            self.init(.unavailable, "not enough memory for the keys; close other programs and try again")
        }
    }
}

/// A point in time, by default now.
enum MomentArgument {
    static func time(_ text: String?, _ option: String) throws(Failure) -> WallClockTime {
        let now = WallClockTime.now
        guard let text else { return now }
        switch TimeArgument.reading(text, now: now) {
        case .exact(let time): return time
        case .twice(let time, let offset):
            Console.report(
                "\(option) \(text): clocks show this time twice; it is taken for \(text)\(offset), the first")
            return time
        case .never:
            throw Failure(
                .usage, "\(option) \(text): clocks go forward then and never show this time; write another")
        case .unreadable:
            throw Failure(.usage, "\(option) \(text): not a time; write 2026-11-21, 2026-11-21T09:30 or 2h")
        }
    }

    static func unixSeconds(_ text: String?, _ option: String) throws(Failure) -> UInt64 {
        try time(text, option).seconds
    }
}
