import Archive
import ArgumentParser
import CommandLineText

struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Archive file; default: ~/.local/share/tabard/archive.sqlite.", valueName: "file"))
    var archive: String?

    var path: String { archive ?? Archive.defaultPath }

    func open(_ access: Archive.Access) throws(Failure) -> Archive {
        try archiving { () throws(ArchiveError) in try Archive(path: path, access: access) }
    }
}
