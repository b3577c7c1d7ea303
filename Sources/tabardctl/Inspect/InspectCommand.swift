import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import LogContents

struct InspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Print a log page by page, damaged pages included.",
        usage: "tabardctl inspect [<file>] [<options>]",
        discussion: """
            Examples:
              tabardctl inspect
              tabardctl inspect encounters.log --entries
              tabardctl inspect --port /dev/ttyACM0

            The command reads the pages of a log file, of a copy of a board's flash, or of an \
            archive. With --port it reads a board directly and stores nothing.
            """)

    @Argument(
        help: ArgumentHelp(
            "Log file, flash image or archive; default: the default archive.", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp("Serial port of a board to read from.", valueName: "path"),
        completion: ValueCompletion.port)
    var port: String?

    @Flag(help: "Print each entry of each page.")
    var entries = false

    @OptionGroup var boards: BoardOptions

    @OptionGroup var output: OutputOptions

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if [file, port, archive.archive].compactMap(\.self).count > 1 {
            throw ValidationError("give only one of a file, --archive and --port")
        }
    }

    func execute() throws(Failure) {
        let listing = try output.listing()
        let printer = PagePrinter(listing, showsEntries: entries)
        let keys = try ownerKey.keys().atWork()
        let archive = try source()
        if let archive {
            if listing.format == .table { try BoardChoice.requireBoard(in: archive) }
            try inspect(archive, keys, printer)
        } else if let file {
            try inspect(pagesOf: file, keys, printer)
        }
        try printer.finish()
        if let archive { try BoardChoice.requireBoard(in: archive) }
        guard printer.readablePageCount > 0 || printer.pageCount == 0 else {
            throw Failure(
                .data, "\(file ?? port ?? self.archive.path): no readable page; check that it is a Tabard log"
            )
        }
    }

    /// The archive to read; nil for a file that is none.
    private func source() throws(Failure) -> Archive? {
        if let port { return try fetch(port) }
        guard let file else { return try archive.open(.reading) }
        if try LogFile(path: file).isArchive() {
            return try archiving { () throws(ArchiveError) in try Archive(path: file, access: .reading) }
        }
        guard boards.names.isEmpty else {
            throw Failure(.usage, "\(file): the log of one board; --board is for archives")
        }
        return nil
    }

    private func inspect(
        _ archive: Archive, _ keys: [OwnerKey], _ printer: PagePrinter
    ) throws(Failure) {
        let all = try archiving { () throws(ArchiveError) in try archive.boards() }
        let chosen = boards.names.isEmpty ? all : try BoardChoice.boards(named: boards.names, of: archive)
        for board in chosen {
            printer.begin(log: board.identity, of: board)
            let segments = try archiving { () throws(ArchiveError) in try archive.segments(of: board.identity)
            }
            for segment in segments {
                printer.print(
                    try archiving { () throws(ArchiveError) in
                        try archive.contents(ofSegment: segment.ordinal, of: board.identity, keys: keys)
                    }, segment)
            }
        }
    }

    private func inspect(
        pagesOf file: String, _ keys: [OwnerKey], _ printer: PagePrinter
    ) throws(Failure) {
        let image = try LogFile(path: file).image()
        printer.begin(log: LogIdentity([UInt8](copying: image.logIdentity.span)), of: nil)
        for slot in image.slots {
            if slot.isBlank {
                printer.printBlank(blockCount: image.geometry.blocksPerSegment)
            } else {
                printer.print(slot.contents(keys: keys))
            }
        }
    }

    private func fetch(_ port: String) throws(Failure) -> Archive {
        let archive = try archiving { () throws(ArchiveError) in try Archive(inMemoryNamed: port) }
        _ = try BoardFetch(archive: archive, options: .readingOnly).run(port)
        return archive
    }
}
