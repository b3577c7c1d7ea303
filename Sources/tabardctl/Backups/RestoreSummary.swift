import Backups
import CommandLineText
import KeyFiles

/// The changes of a restoring, shown before the operator agrees.
struct RestoreSummary {
    let backup: BoardBackup
    let present: PresentBoard
    let settings: RestoredSettings
    let secrets: RestoredSecrets
    /// Nil if the board is to have no keys.
    let keys: SetupKeys.AtHand?
    /// Whether the archive knows both board keys.
    let areKeysKnown: Bool

    func report() {
        Console.report("\(present.port): log \(present.log.short), tabard \(present.status.versionText)")
        Console.report("  becomes    \(settings.summary), as backed up from \(backup.title)")
        if let shown = present.keys?.board { Console.report("  board key  \(shown.fingerprintText)") }
        Console.report("  backed up  with the board key \(backup.boardKey.fingerprintText)")
        for assignment in settings.assignments {
            Console.report("  with       \(PlainText.displayable(assignment))")
        }
        for (scheme, record) in secrets.given {
            Console.report("  secrets    \(scheme.name): \(record.text)")
        }
        if !settings.leftKeys.isEmpty {
            Console.report("  unchanged  \(settings.leftKeys.joined(separator: ", "))")
        }
        present.reportNewKeys(keys)
        for note in notes { Console.report("  note       \(note)") }
    }

    private var notes: [String] {
        var notes = secrets.notes
        for scheme in backup.schemes(.unreadable) {
            notes.append("\(scheme.name): the board that was backed up could not read its secrets")
        }
        if let keys, keys.operatorKey.fingerprint != backup.operatorFingerprint {
            notes.append("the operator key was \(Fingerprint.text(backup.operatorFingerprint))")
        }
        if let keys, keys.ownerKey.fingerprint != backup.ownerFingerprint {
            notes.append("the owner key was \(Fingerprint.text(backup.ownerFingerprint))")
        }
        if !areKeysKnown {
            notes.append("a board key is new to the archive; compare it with that on the board's label")
        }
        return notes
    }
}
