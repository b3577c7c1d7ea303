import Archive
import ArgumentParser
import CommandLineText
import Foundation

/// The archive of a command that lists what boards recorded, and which pages count.
struct EvidenceOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Include pages that no signature of the board covers; forged pages are never included."))
    var includeUnverified = false

    @OptionGroup var archive: ArchiveOptions

    var path: String { archive.path }

    /// Opens the archive. Pages that were not decoded before may need the owner key in its usual place.
    func open(_ access: Archive.Access) throws(Failure) -> Archive {
        let path = OwnerKeyOptions.defaultPath
        let keys = FileManager.default.fileExists(atPath: path) ? try Keys.ownerKeys([path]) : .none
        return try archive.open(access, keys: keys, admitting: includeUnverified ? .unverified : .vouched)
    }
}
