import Archive
import ArgumentParser
import CommandLineText
import LogContents

/// The rule for a board's name in the archive.
enum BoardNameRule {
    /// - Throws: a mistake of usage unless the name is one line of text.
    static func check(_ name: String) throws {
        guard !name.isEmpty, OneLineText.isPlain(name) else {
            throw ValidationError("--name must be one line of text, without control characters")
        }
    }

    /// Warns if another board of the archive has this name, too.
    static func reportNamesakes(
        of board: LogIdentity, named name: String, in archive: Archive
    ) throws(Failure) {
        let others = try archiving { () throws(ArchiveError) in try archive.boards() }
        if others.contains(where: { $0.identity != board && $0.name == name }) {
            Console.report("warning: another board has this name, too; lists tell them apart by their digits")
        }
    }
}
