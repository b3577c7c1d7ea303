import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import Foundation
import LogContents
import Reports
import Sync

struct VerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that a log is whole and as the board wrote it, and say what is missing.",
        discussion: """
            Follows the chain through all pages, checks what the board has signed and, with the opening key, every seal. \
            Says what is damaged and what it cost, what the board overwrote before it was fetched, how much of the time \
            the board listened, and how good its clock was. The rest is still read. docs/verify.md explains each finding.

            Without arguments it is about all boards of the archive, offline. With --port it fetches first what is \
            missing. It also checks a file: an archive, a board's log or a copy of its flash; or a folder of segments, each in \
            a file, as SMP tools fetch them.

            Exit code 0: nothing was changed and nothing of what was fetched is lost; 65: damage or forgery was found, or \
            with --strict a gap; 66: there is nothing to verify; with --port also those of sync.

            Examples:
              tabardctl verify
              tabardctl verify --board Foyer --opening opening.pem --json
              tabardctl verify --port /dev/ttyACM0
              tabardctl verify seized.img --opening opening.pem
              tabardctl verify fetched-by-courier/
            """)

    @Argument(
        help: ArgumentHelp(
            "An archive, a board's log, a copy of its flash, or a folder of segments.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("A board's serial port: fetch first what is missing.", valueName: "path"))
    var port: String?

    @Option(
        help: ArgumentHelp("Only this board: its name, or the first digits of its log.", valueName: "board"))
    var board: String?

    @Flag(help: "Let gaps end with 65 too.")
    var strict = false

    @Flag(help: "Print a JSON array.")
    var json = false

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    @OptionGroup var opening: OpeningOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if file != nil, port != nil { throw ValidationError("give one of a file and --port") }
        if board != nil, port != nil { throw ValidationError("--port says which board it is") }
    }

    func execute() throws(Failure) {
        let keys = try opening.keys()
        let source = try source(keys)
        let boards: [BoardSummary]
        if let board = source.board {
            boards = [board]
        } else {
            boards = try BoardChoice.boards(named: board, of: source.archive)
        }
        var documents: [VerificationDocument] = []
        var worst = LogFinding.Severity.note
        var pageCount = 0
        for board in boards {
            let result = try archiving { () throws(ArchiveError) in
                try source.archive.verify(board.identity, keys: keys)
            }
            let history = try archiving { () throws(ArchiveError) in
                try source.archive.history(of: board.identity)
            }
            worst = max(worst, result.severity)
            pageCount += result.pageCount + result.findings.count
            documents.append(VerificationDocument(result, name: board.name, history: history))
            guard !json else { continue }
            let text = VerificationText(result, label: board.label, history: history, time: TimeText())
            text.lines.forEach(Console.print)
        }
        if json {
            do { Console.write(try VerificationDocument.json(documents)) } catch {
                throw Failure(.data, "the findings cannot be written as JSON: \(error)")
            }
        }
        guard pageCount > 0 else {
            throw Failure(.noInput, "there is nothing to verify; `tabardctl sync` fetches a log")
        }
        guard worst < (strict ? .gap : .damage) else {
            throw Failure(.data, "not everything is as the board wrote it; see above")
        }
    }

    private func source(_ keys: OpeningKeys) throws(Failure) -> (archive: Archive, board: BoardSummary?) {
        if let port { return try fetch(port, keys) }
        guard let file else { return (try archive.open(.existing), nil) }
        return (try LogFile(path: file).archive(keys: keys, keysFrom: archive.path), nil)
    }

    /// Brings the archive up to date with the board first.
    private func fetch(
        _ port: String, _ keys: OpeningKeys
    ) throws(Failure) -> (archive: Archive, board: BoardSummary?) {
        let archive = try archive.open(.create)
        var options = Synchroniser.Options.readingOnly
        options.openingKeys = keys
        let summary = try BoardFetch(archive: archive, options: options, baud: baud).run(port)
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        return (archive, boards.first { $0.identity == summary.board })
    }
}
