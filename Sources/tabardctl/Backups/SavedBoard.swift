import Archive
import Backups
import CommandLineText
import Cryptography
import FixedMemory
import KeyFiles
import LogContents
import Schemes

/// A backup that was read from a file, and whose signatures are right.
struct SavedBoard {
    let path: String
    let contents: BoardBackup

    init(_ path: String) throws(Failure) {
        self.path = path
        let bytes = try Documents.bytes(path)
        do throws(BackupError) {
            contents = try BoardBackup(file: bytes)
            try contents.verify()
        } catch {
            throw Failure(.data, "\(path): \(error.text)")
        }
    }

    /// Opens the secrets.
    func secrets(_ options: OwnerKeyOptions) throws(Failure) -> [BackedUpSecrets] {
        guard !contents.secrets.isEmpty else { return [] }
        let scalars = try options.scalars()
        let owner = Fingerprint.text(contents.ownerFingerprint)
        guard !scalars.isEmpty else {
            throw Failure(
                .noInput,
                "\(path): the secrets are encrypted for the owner key \(owner); give its private half with "
                    + "--opening, or leave the secrets out with --without-secrets")
        }
        var opened: [BackedUpSecrets] = []
        for record in contents.secrets {
            do throws(BackupError) { opened.append(try contents.open(record, with: scalars)) } catch {
                guard error == .sealedForAnother else { throw Failure(.data, "\(path): \(error.text)") }
                throw Failure(
                    .noPermission,
                    "\(path): the secrets are encrypted for the owner key \(owner), and that is not the one "
                        + "given")
            }
        }
        return opened
    }
}

extension BackupError {
    fileprivate var text: String {
        switch self {
        case .malformed(let reason): "not a whole backup: \(reason); make it again with `tabardctl backup`"
        case .unknownVersion(let version):
            "a backup of version \(version), which this tabardctl does not know; use a later one"
        case .notSigned: "changed since the board signed it; make it again with `tabardctl backup`"
        case .sealedForAnother: "encrypted for another owner key"
        case .damagedRecord: "a record of secrets is damaged; make it again with `tabardctl backup`"
        }
    }
}
