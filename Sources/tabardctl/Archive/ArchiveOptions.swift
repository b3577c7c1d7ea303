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

    var path: String { archive ?? Archive.defaultPath }

    /// Opens the archive, and converts one of version 0.1 first.
    func openUpgraded(_ access: Archive.Access, keys: OwnerKeys) throws(Failure) -> Archive {
        if FileManager.default.fileExists(atPath: path) {
            try UpgradeText.printNote(upgrade(keys: keys), path)
        }
        return try open(access, keys: keys)
    }

    func upgrade(keys: OwnerKeys, locks: Bool = false) throws(Failure) -> ArchiveUpgrade.Outcome {
        ArchivePrivacy(path: path).ensure(mends: true)
        return try archiving { () throws(ArchiveError) in
            try ArchiveUpgrade(path: path, keys: keys, locks: locks).run()
        }
    }

    /// - Parameter keys: decrypt pages again if another version decoded them.
    func open(
        _ access: Archive.Access, keys: OwnerKeys = .none, admitting admission: PageAdmission = .vouched
    ) throws(Failure) -> Archive {
        ArchivePrivacy(path: path).ensure(mends: access != .reading)
        return try archiving { () throws(ArchiveError) in
            try Archive(path: path, access: access, keys: keys, admitting: admission)
        }
    }
}
