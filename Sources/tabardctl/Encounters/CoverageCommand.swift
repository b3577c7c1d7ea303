import Archive
import ArgumentParser
import CommandLineText
import Foundation
import Reports

struct CoverageCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage",
        abstract: "Show when boards were listening, and why not otherwise.",
        discussion: """
            Examples:
              tabardctl coverage --since 14d
              tabardctl coverage --board Foyer --since 2026-11-21 --until 2026-11-22
              tabardctl coverage --csv --output coverage.csv

            Covered time is time in which a board was confirmed to be scanning. A device without an \
            encounter then was not heard. All other time is blind time, with its cause as far as the \
            log shows it.

            Without --since and --until the command covers the whole archive. The table has local \
            times; JSON and CSV have UTC.
            """)

    @Flag(help: "Print a JSON array.")
    var json = false

    @Flag(help: "Print CSV (RFC 4180).")
    var csv = false

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file")
    )
    var output = "-"

    @OptionGroup var time: TimeOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        if json, csv { throw ValidationError("--json and --csv cannot both be given") }
    }

    func execute() throws(Failure) {
        let times = try time.times()
        let archive = try archive.open(.reading)
        var coverage: [(board: BoardSummary, timeline: CoverageTimeline)] = []
        let boards = try time.boards(of: archive)
        try LockedPagesText.printNote(archive, boards)
        for board in boards {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: board.identity)
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
        try OutputFile.write(data(coverage), to: output)
    }

    private func data(
        _ coverage: [(board: BoardSummary, timeline: CoverageTimeline)]
    ) throws(Failure) -> Data {
        if csv { return Data(CoverageCSV.text(coverage.map(\.timeline)).utf8) }
        guard json else {
            let zone = TimeText()
            let tables = coverage.map {
                CoverageTable(board: $0.board, timeline: $0.timeline, time: zone).text
            }
            return Data((tables.joined(separator: "\n\n") + "\n").utf8)
        }
        do {
            return try CoverageDocument.json(
                coverage.map { CoverageDocument($0.timeline, name: $0.board.name) })
        } catch {
            throw Failure(.data, "cannot write the coverage as JSON: \(error)")
        }
    }
}
