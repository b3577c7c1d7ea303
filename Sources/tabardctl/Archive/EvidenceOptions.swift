import Archive
import ArgumentParser
import CommandLineText
import Foundation
import Reports

/// The archive of a command that lists what boards recorded, and which pages count.
struct EvidenceOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Include pages that no signature of the board covers; forged pages are never included."))
    var includeUnverified = false

    @Option(
        help: ArgumentHelp(
            "Names for this run: CSV with the columns id, name, group, age, sex and model, as for `tabardctl label`.",
            valueName: "file"), completion: .file())
    var names: String?

    @Option(
        help: ArgumentHelp(
            "Zone of local times: utc, local, or a name such as Europe/London; otherwise this computer's.",
            valueName: "zone"))
    var timeZone: String?

    @OptionGroup var archive: ArchiveOptions

    /// Local times are read and written all over the program, so its zone is the process's.
    func validate() throws {
        guard let timeZone, timeZone.lowercased() != "local" else { return }
        let name = timeZone.lowercased() == "utc" ? "UTC" : timeZone
        guard LocalZone.isKnown(name) else {
            throw ValidationError(
                "--time-zone \(PlainText.displayable(timeZone)): no such zone; write utc, local or a name such "
                    + "as Europe/London")
        }
        setenv("TZ", name, 1)
    }

    var path: String { archive.path }

    /// Opens the archive. Pages that were not decoded before may need the owner key in its usual place.
    func open(_ access: Archive.Access) throws(Failure) -> Archive {
        var archive = try opened(access)
        if let names { try NamesFile(names).give(to: &archive) }
        return archive
    }

    private func opened(_ access: Archive.Access) throws(Failure) -> Archive {
        if access == .reading, !includeUnverified, let own = OpenArchives.archive(at: path) { return own }
        let path = OwnerKeyOptions.defaultPath
        let keys = FileManager.default.fileExists(atPath: path) ? try Keys.ownerKeys([path]) : .none
        return try archive.open(access, keys: keys, admitting: includeUnverified ? .unverified : .vouched)
    }
}
