import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import KeyFiles
import LogContents

struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Archive file; default: ~/.local/share/tabard/archive.sqlite.", valueName: "file"),
        completion: .file())
    var archive: String?

    @Option(
        help: ArgumentHelp(
            "File with the boards that you trust; default: ~/.config/tabard/known-boards.", valueName: "file"),
        completion: .file())
    var knownBoards: String?

    var files: CustodyFiles {
        CustodyFiles(
            archivePath: path, knownBoardsPath: knownBoards ?? CustodyFiles.defaultKnownBoards,
            isDefault: path == UserFolders.archive)
    }

    var path: String { archive ?? UserFolders.archive }

    /// Opens the archive, and converts one of version 0.1 first.
    ///
    /// - Parameter onlyOnce: returns the archive that this process has open already, if there is one.
    func openUpgraded(
        _ access: Archive.Access, keys: OwnerKeys, onlyOnce: Bool = false
    ) throws(Failure) -> Archive {
        if onlyOnce, let own = OpenArchives.archive(at: path) { return own }
        if FileManager.default.fileExists(atPath: path) {
            try UpgradeText.printNote(upgrade(keys: keys), path)
        }
        return try open(access, keys: keys)
    }

    func upgrade(keys: OwnerKeys, locks: Bool = false) throws(Failure) -> ArchiveUpgrade.Outcome {
        try require()
        let custody = try files.custody(creates: true)
        let change = ForeignChange(path, custody, keys)
        defer { change?.reportRemoved() }
        let outcome = try archiving { () throws(ArchiveError) in
            try ArchiveUpgrade(
                path: path, keys: keys, locks: locks || !custody.hasFilledTables, custody: custody
            ).run()
        }
        ArchivePrivacy(path: path).ensure(mends: true)
        if outcome != .none {
            files.recordState()
            // Its tables are filled.
            var filled = custody
            filled.hasFilledTables = true
            let archive = try archiving { () throws(ArchiveError) in
                try Archive(path: path, access: .reading, custody: filled)
            }
            try reportUnknownBoards(archive, custody)
        }
        change?.reportRelocked()
        return outcome
    }

    /// Opens the archive. If another program has changed it, or it came from another computer, its pages are
    /// judged and decoded again.
    ///
    /// - Parameter keys: decrypt pages again if another version decoded them.
    func open(
        _ access: Archive.Access, keys: OwnerKeys = .none, admitting admission: PageAdmission = .vouched
    ) throws(Failure) -> Archive {
        try require()
        let custody = try files.custody(creates: access != .reading)
        let change = access == .reading ? nil : ForeignChange(path, custody, keys)
        defer { change?.reportRemoved() }
        var archive = try archiving { () throws(ArchiveError) in
            let archive = try Archive(
                path: path, access: access, keys: keys, locks: !custody.hasFilledTables,
                admitting: admission, custody: custody)
            try archive.checkKnownBoards()
            return archive
        }
        ArchivePrivacy(path: path).ensure(mends: access != .reading)
        try reportUnknownBoards(archive, custody)
        guard access != .reading else { return archive }
        change?.reportRelocked()
        // Boards that were trusted before there was a list, or by a command that was killed.
        if custody.vouchesForItself { try files.addBoards(of: archive) }
        let files = files
        archive.beforeTrusting = { board, key in files.add(key, of: board) }
        OpenArchives.add(archive, files)
        return archive
    }

    /// Opens the archive for a command that writes if it gets consent. A dry run without an archive has an
    /// empty one in memory.
    func open(for consent: ConsentOptions) throws(Failure) -> Archive {
        guard consent.dryRun else { return try open(.create) }
        guard !FileManager.default.fileExists(atPath: path) else { return try open(.reading) }
        return try archiving { () throws(ArchiveError) in try Archive(inMemoryNamed: path) }
    }

    /// Makes the secret that a command needs to write, or refuses one that is damaged, before anything else.
    func requireSecret() throws(Failure) { _ = try files.custody(creates: true) }

    /// Refuses what cannot be an archive before SQLite waits for it, and a list of known boards that would
    /// silently trust nobody.
    private func require() throws(Failure) {
        guard !path.isEmpty else { throw Failure(.usage, "--archive: no name; write the archive's file") }
        OutputFile.archives.insert(path)
        try files.requireKnownBoards()
        guard let file = FileStatus(path) else {
            guard errno != EACCES else { throw Failure(ArchiveError.forbidden(path: path, access: .reading)) }
            return
        }
        guard file.isPlain || file.isFolder else {
            throw Failure(.data, "\(path): not a file; give an archive")
        }
    }

    private func reportUnknownBoards(_ archive: Archive, _ custody: ArchiveCustody) throws(Failure) {
        guard !custody.vouchesForItself else { return }
        let boards = try archiving { () throws(ArchiveError) in try archive.untrustedBoards() }
            .filter { $0.identity == $0.claimedIdentity }
        for label in Set(boards.map { "\($0.label) (\($0.identity.short))" }).sorted() {
            Console.report(
                "tabardctl: \(path): \(label) is not among your known boards, so its log does not count; "
                    + "compare its fingerprint with `tabardctl trust`")
        }
    }
}
