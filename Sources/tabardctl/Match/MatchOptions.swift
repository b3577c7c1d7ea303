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
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, csv

        /// - Parameter text: prints the document for people.
        func print(
            _ document: some PrintedDocument, text: () throws(Failure) -> Void
        ) throws(Failure) {
            switch self {
            case .text: try text()
            case .csv: Console.write(Data(document.csv.utf8))
            case .json:
                do { Console.write(try document.json()) } catch {
                    throw Failure(.data, "cannot write the result as JSON: \(error)")
                }
            }
        }
    }

    @Option(help: "Output format: text, json or csv.")
    var format = Format.text

    @Option(
        help: ArgumentHelp(
            "Match as of this time; default: now. Older encounters than the scheme keeps do not match.",
            valueName: "time"))
    var asOf: String?

    @Option(
        help: ArgumentHelp(
            "Only this board: its name or the first digits of its log identity. May be repeated.",
            valueName: "board"))
    var board: [String] = []

    @OptionGroup var written: WrittenOptions
    @OptionGroup var archive: EvidenceOptions

    func now() throws(Failure) -> WallClockTime { try MomentArgument.time(asOf, "--as-of") }

    /// All recorded encounters of a scheme. A note on standard error reports locked pages.
    func encounters(of scheme: SchemeID, in archive: Archive) throws(Failure) -> [Encounter] {
        var filter = EncounterFilter()
        filter.boards = try BoardChoice.identities(named: board, of: archive)
        filter.scheme = SchemeCode(scheme)
        filter.excludesWritten = written.withoutWritten
        let encounters = try archiving { () throws(ArchiveError) in try archive.encounters(matching: filter) }
        try LockedPagesText.printNote(archive, filter)
        return encounters
    }

    /// The number of pages that are not in the encounters, because nothing vouches for them.
    func leftOutPageCount(_ archive: Archive) throws(Failure) -> Int {
        let all = try archiving { () throws(ArchiveError) in try archive.boards() }
        let chosen = board.isEmpty ? all : try BoardChoice.boards(named: board, of: archive)
        return chosen.flatMap(\.leftOut).reduce(0) { $0 + $1.pageCount }
    }

    /// The boards' labels, by log identity.
    static func labels(_ archive: Archive) throws(Failure) -> [String: String] {
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        return Dictionary(
            boards.map { ($0.identity.hexadecimal, $0.label) }, uniquingKeysWith: { first, _ in first })
    }

    /// Reports the encounters that could not match.
    static func printNote(_ counts: SearchCounts, days: Int) {
        if counts.undated > 0 {
            Console.report(
                "\(counts.undated) encounters have no wall-clock time and cannot match; see `tabardctl "
                    + "clocks`"
            )
        }
        if counts.lost > 0 {
            Console.report("\(counts.lost) encounters lost their identity with pages of the log")
        }
        if counts.expired > 0 {
            Console.report("\(counts.expired) encounters are more than \(days) days old and do not match")
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
