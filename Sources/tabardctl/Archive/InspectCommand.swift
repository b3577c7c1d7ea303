import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import LogContents

struct InspectCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Look at a log page by page, damage included.",
        discussion: """
            Reads the pages of a file (a board's log or a copy of its flash), of an archive, or straight from a board \
            without keeping anything. Without arguments, of the default archive.

            Examples:
              tabardctl inspect
              tabardctl inspect encounters.log --entries
              tabardctl inspect --port /dev/ttyACM0
            """)

    @Argument(help: ArgumentHelp("A file of pages, or an archive.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("A board's serial port.", valueName: "path"))
    var port: String?

    @Flag(help: "Print each entry.")
    var entries = false

    @OptionGroup var opening: OpeningOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if [file, port, archive.archive].compactMap(\.self).count > 1 {
            throw ValidationError("give one of a file, --archive and --port")
        }
    }

    func execute() throws(Failure) {
        let printer = PagePrinter(showsEntries: entries)
        let keys = try opening.keys().atWork()
        if let port {
            try inspect(fetch(port), keys, printer)
        } else if let file {
            if try LogFile(path: file).isArchive() {
                try inspect(
                    archiving { () throws(ArchiveError) in try Archive(path: file, access: .existing) },
                    keys, printer)
            } else {
                try inspect(pagesOf: file, keys, printer)
            }
        } else {
            try inspect(archive.open(.existing), keys, printer)
        }
        Console.print(printer.summary)
        guard printer.readablePageCount > 0 || printer.pageCount == 0 else {
            throw Failure(
                .data, "\(file ?? port ?? archive.path): no page can be read; is it a Tabard's log?")
        }
    }

    private func inspect(
        _ archive: Archive, _ keys: [OpeningKey], _ printer: PagePrinter
    ) throws(Failure) {
        for board in try archiving({ () throws(ArchiveError) in try archive.boards() }) {
            Console.print("board \(board.label), log \(board.identity.hexadecimal)")
            let segments = try archiving { () throws(ArchiveError) in try archive.segments(of: board.identity)
            }
            for segment in segments {
                let state = segment.isVerified ? "closed, verified" : segment.isClosed ? "closed" : "open"
                Console.print("segment \(segment.ordinal), \(segment.byteCount) bytes, \(state)")
                printer.print(
                    try archiving { () throws(ArchiveError) in
                        try archive.contents(ofSegment: segment.ordinal, of: board.identity, keys: keys)
                    })
            }
        }
    }

    private func inspect(
        pagesOf file: String, _ keys: [OpeningKey], _ printer: PagePrinter
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
