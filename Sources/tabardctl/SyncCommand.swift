import Archive
import ArgumentParser
import BoardLink
import Foundation
import Reports

struct SyncCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Fetch what a board recorded into the archive.",
        discussion: """
            Asks only for what the archive lacks, oldest first, and keeps every piece as it comes: if the cable is \
            pulled or you press Control-C, the next run goes on at that byte. Closed segments are compared with the \
            board's own hash. The board is told the time.

            Without --port the boards that are plugged in are looked for; if there are several, say which, or --all.

            Examples:
              tabardctl sync
              tabardctl sync --port /dev/ttyACM0 --name Foyer
              tabardctl sync --all --archive /srv/tabard/archive.sqlite
            """)

    @Option(help: ArgumentHelp("The board's serial port; may be repeated.", valueName: "path"))
    var port: [String] = []

    @Flag(help: "Every board that is plugged in.")
    var all = false

    @Option(help: ArgumentHelp("What to call the board from now on.", valueName: "name"))
    var name: String?

    @Flag(inversion: .prefixedNo, help: "Tell the board the time.")
    var setClock = true

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if let name, name.isEmpty || name.contains(where: \.isNewline) {
            throw ValidationError("--name must be one line of text")
        }
        if name != nil, all || port.count > 1 {
            throw ValidationError("--name is for one board: give one --port")
        }
    }

    func execute() throws(Failure) {
        let paths = try BoardPorts.find(given: port, all: all, baud: baud)
        let archive = try archive.open(.create)
        Interruption.watch()
        var failures: [Failure] = []
        for path in paths {
            do throws(Failure) {
                try synchronise(path, archive)
            } catch {
                if Interruption.isRequested || paths.count == 1 { throw error }
                Console.note("tabardctl: \(error.message)")
                failures.append(error)
            }
        }
        guard let first = failures.first else { return }
        throw Failure(first.code, "\(failures.count) of \(paths.count) boards were not fetched; see above")
    }

    private func synchronise(_ path: String, _ archive: Archive) throws(Failure) {
        let progress = ProgressLine(name: path)
        let client = try BoardPorts.open(path, baud: baud)
        var options = Synchroniser.Options()
        options.name = name
        options.setsClock = setClock
        let synchroniser = Synchroniser(
            client: client, archive: archive, options: options,
            shouldStop: { Interruption.isRequested }, report: progress.update)
        let summary: SyncSummary
        do throws(SyncError) {
            summary = try synchroniser.run()
        } catch {
            progress.finish()
            throw Failure(error, hasBegun: progress.hasBegun)
        }
        progress.finish()
        try report(summary, archive)
    }

    private func report(_ summary: SyncSummary, _ archive: Archive) throws(Failure) {
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        let label = boards.first { $0.identity == summary.board }?.label ?? summary.board.short
        var parts = [
            summary.fetchedByteCount == 0
                ? "nothing new" : "\(ByteText.text(summary.fetchedByteCount)) fetched",
            "\(summary.decoded.entryCount) new entries",
        ]
        if summary.verifiedSegmentCount > 0 {
            parts.append("\(summary.verifiedSegmentCount) closed segments verified")
        }
        if let error = summary.clockErrorMilliseconds { parts.append("clock within \(error) ms") }
        if summary.decoded.damagedPageCount > 0 {
            parts.append("\(summary.decoded.damagedPageCount) damaged pages")
        }
        if summary.refetchedSegmentCount > 0 {
            parts.append("\(summary.refetchedSegmentCount) segments fetched anew")
        }
        if summary.missedSegmentCount > 0 {
            parts.append(
                "\(summary.missedSegmentCount) segments overwritten by the board before they were fetched")
        }
        Console.print("\(label): \(parts.joined(separator: ", "))")
        guard summary.differingSegments.isEmpty else {
            let list = summary.differingSegments.map(String.init).joined(separator: ", ")
            throw Failure(
                .data, "\(label): segments \(list) differ from the board's own hash; check its storage")
        }
    }
}
