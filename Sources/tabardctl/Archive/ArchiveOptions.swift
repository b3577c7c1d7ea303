import Archive
import ArgumentParser
import CommandLineText
import Foundation
import LogContents

struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Archive file; default: ~/.local/share/tabard/archive.sqlite.", valueName: "file"))
    var archive: String?

    @Option(
        help: ArgumentHelp(
            "File with the boards that you trust; default: ~/.config/tabard/known-boards.", valueName: "file")
    )
    var knownBoards: String?

    var files: CustodyFiles {
        CustodyFiles(
            archivePath: path, knownBoardsPath: knownBoards ?? CustodyFiles.defaultKnownBoards,
            isDefault: path == Archive.defaultPath)
    }

    var path: String { archive ?? Archive.defaultPath }

    /// Opens the archive, and converts one of version 0.1 first.
    func openUpgraded(_ access: Archive.Access, keys: OwnerKeys) throws(Failure) -> Archive {
        if FileManager.default.fileExists(atPath: path) {
            try UpgradeText.printNote(upgrade(keys: keys), path)
        }
        return try open(access, keys: keys)
    }

    func upgrade(keys: OwnerKeys, locks: Bool = false) throws(Failure) -> ArchiveUpgrade.Outcome {
        let custody = files.custody(creates: true)
        ArchivePrivacy(path: path).ensure(mends: true)
        let outcome = try archiving { () throws(ArchiveError) in
            try ArchiveUpgrade(
                path: path, keys: keys, locks: locks || !custody.hasFilledTables, custody: custody
            ).run()
        }
        if outcome != .none { files.recordState() }
        return outcome
    }

    /// Opens the archive. If another program has changed it, or it came from another computer, its pages are
    /// judged and decoded again.
    ///
    /// - Parameter keys: decrypt pages again if another version decoded them.
    func open(
        _ access: Archive.Access, keys: OwnerKeys = .none, admitting admission: PageAdmission = .vouched
    ) throws(Failure) -> Archive {
        let custody = files.custody(creates: access != .reading)
        ArchivePrivacy(path: path).ensure(mends: access != .reading)
        let archive = try archiving { () throws(ArchiveError) in
            let archive = try Archive(
                path: path, access: access, keys: keys, locks: !custody.hasFilledTables,
                admitting: admission, custody: custody)
            try archive.checkKnownBoards()
            return archive
        }
        if access != .reading { OpenArchives.add(archive, files) }
        return archive
    }

    /// Adds the boards that the archive trusts to the known boards. An archive that was in other hands cannot
    /// do that.
    func addKnownBoards(of archive: Archive) throws(Failure) {
        if archive.isInCustody { try files.addBoards(of: archive) }
    }
}
