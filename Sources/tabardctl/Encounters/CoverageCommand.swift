import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import Reports

struct CoverageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Show when boards were listening, and why not otherwise.",
        usage: "tabardctl coverage [<options>]",
        discussion: """
            Examples:
              tabardctl coverage --since 14d
              tabardctl coverage --board Foyer --since 2026-11-21 --until 2026-11-22
              tabardctl coverage --csv --output coverage.csv

            Covered time is time in which a board was confirmed to be scanning. A device without an \
            encounter then was not heard. All other time is blind time, with its cause as far as the \
            log shows it. A board that spares its battery (radio.duty) listens for a part of that \
            time only; the summary says how surely it hears a sender then.

            Without --since and --until the command covers the whole archive. The table has local \
            times; JSON and CSV have UTC.
            """)

    @Option(
        help: ArgumentHelp(
            "Advertising interval of the sender that the summary speaks of, 20 to 10240 ms.",
            valueName: "milliseconds"))
    var senderInterval: UInt64 = 1_000
    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var time: TimeOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        guard (20...10_240).contains(senderInterval) else {
            throw ValidationError("--sender-interval must be from 20 to 10240")
        }
    }

    func execute() throws(Failure) {
        let listing = output.listing()
        _ = try time.times()
        let coverage = try coverage(of: try archive.open(.reading))
        switch listing.format {
        case .csv: try listing.write(Data(CoverageCSV.text(coverage.map(\.timeline)).utf8))
        case .json:
            try listing.write("the coverage") {
                try CoverageDocument.json(
                    coverage.map { CoverageDocument($0.timeline, name: $0.board.name) })
            }
        case .table:
            let zone = TimeText()
            for (index, part) in coverage.enumerated() {
                if index > 0 { listing.print("") }
                let table = CoverageTable(
                    board: part.board, timeline: part.timeline, time: zone,
                    senderInterval: .milliseconds(senderInterval))
                listing.print(table.summary)
                listing.print(table.intervals)
            }
            try listing.finish()
        }
    }

    /// What the options choose; not empty.
    func coverage(
        of archive: Archive
    ) throws(Failure) -> [(board: ArchivedBoard, timeline: CoverageTimeline)] {
        let times = try time.times()
        var coverage: [(board: ArchivedBoard, timeline: CoverageTimeline)] = []
        let boards = try time.boards(of: archive)
        try LockedPagesText.printNote(archive, boards)
        for board in boards {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: board.identity, withTracks: false)
            }
            let timelines = CoverageAssembly.timelines(
                of: history, since: times.since, until: times.until)
            coverage += timelines.map { (board, $0) }
        }
        guard !coverage.isEmpty else {
            let when = time.since == nil && time.until == nil ? "" : " of that time"
            throw Failure(
                .noInput, "the archive has no log entries\(when); fetch some with `tabardctl sync`")
        }
        return coverage
    }
}
