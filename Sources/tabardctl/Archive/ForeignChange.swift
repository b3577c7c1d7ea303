import Archive
import CommandLineText
import FixedMemory
import KeyFiles
import LogContents

/// The changes of another program, or another computer, that opening an archive for writing takes back.
struct ForeignChange {
    private let path: String
    /// The keys of pages that are open in the file, and become locked because its tables do not count.
    private let relockedKeys: [Bytes<16>]
    /// The triggers, views and indexes that are removed.
    private let removedObjects: [String]

    /// Nil if the file is as this computer left it. To be read before the archive is opened for writing.
    init?(_ path: String, _ custody: ArchiveCustody, _ keys: OwnerKeys) {
        guard !custody.hasFilledTables else { return nil }
        self.path = path
        relockedKeys = Archive.keysOfOpenPages(inFile: path, besides: keys)
        removedObjects = Archive.foreignObjects(inFile: path)
    }

    /// Names what is no longer there, even if the archive could not be opened after that.
    func reportRemoved() {
        let left = removedObjects.isEmpty ? [] : Archive.foreignObjects(inFile: path)
        let removed = removedObjects.filter { !left.contains($0) }
        guard !removed.isEmpty else { return }
        Console.report(
            "tabardctl: \(path): removed what another program had put into the archive: "
                + removed.joined(separator: ", "))
    }

    func reportRelocked() {
        guard !relockedKeys.isEmpty else { return }
        let fingerprints = relockedKeys.map(Fingerprint.text).joined(separator: ", ")
        Console.report(
            "tabardctl: \(path): another program changed the archive, or it comes from elsewhere; its open "
                + "pages are locked again (owner key \(fingerprints)); " + LockedPagesText.remedy)
    }
}
