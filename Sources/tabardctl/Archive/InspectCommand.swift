import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import LogContents

struct InspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Print a log page by page, damaged pages included.",
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
            "Log file, flash image or archive; default: the default archive.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("Serial port of a board to read from.", valueName: "path"))
    var port: String?

    @Flag(help: "Print each entry of each page.")
    var entries = false

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if [file, port, archive.archive].compactMap(\.self).count > 1 {
            throw ValidationError("give only one of a file, --archive and --port")
        }
    }

    func execute() throws(Failure) {
        let printer = PagePrinter(showsEntries: entries)
        let keys = try ownerKey.keys().atWork()
        if let port {
            try inspect(fetch(port), keys, printer)
        } else if let file {
            if try LogFile(path: file).isArchive() {
                try inspect(
                    archiving { () throws(ArchiveError) in try Archive(path: file, access: .reading) },
                    keys, printer)
            } else {
                try inspect(pagesOf: file, keys, printer)
            }
        } else {
            try inspect(archive.open(.reading), keys, printer)
        }
        Console.print(printer.summary)
        guard printer.readablePageCount > 0 || printer.pageCount == 0 else {
            throw Failure(
                .data, "\(file ?? port ?? archive.path): no readable page; check that it is a Tabard log")
        }
    }

    private func inspect(
        _ archive: Archive, _ keys: [OwnerKey], _ printer: PagePrinter
    ) throws(Failure) {
        for board in try archiving({ () throws(ArchiveError) in try archive.boards() }) {
            Console.print("board \(board.label), log \(board.identity.hexadecimal)")
            let segments = try archiving { () throws(ArchiveError) in try archive.segments(of: board.identity)
            }
            for segment in segments {
                let state =
                    segment.isVerified ? "complete, verified" : segment.isComplete ? "complete" : "incomplete"
                Console.print("segment \(segment.ordinal), \(segment.byteCount) bytes, \(state)")
                printer.print(
                    try archiving { () throws(ArchiveError) in
                        try archive.contents(ofSegment: segment.ordinal, of: board.identity, keys: keys)
                    })
            }
        }
    }

    private func inspect(
        pagesOf file: String, _ keys: [OwnerKey], _ printer: PagePrinter
    ) throws(Failure) {
        let image = try LogFile(path: file).image()
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
