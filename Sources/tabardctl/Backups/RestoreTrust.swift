import Archive
import CommandLineText
import Cryptography
import KeyFiles
import LogContents
import Sync

/// The check of the board keys on which a restoring relies: that of the board which made the backup, and that
/// of the board which gets it.
struct RestoreTrust {
    let archive: Archive
    let policy: TrustPolicy
    /// Whether nobody will compare the keys that the command shows.
    let isUnattended: Bool

    /// Refuses a key that the archive does not know as that of the board with this log, unless the operator
    /// trusts it.
    ///
    /// - Parameters:
    ///   - subject: what the key belongs to.
    ///   - remedy: what to do if the archive knows the board by another key.
    /// - Returns: whether the archive knows the key.
    func check(
        _ key: P256PublicKey, of log: LogIdentity, _ subject: String, remedy: String
    ) throws(Failure) -> Bool {
        let known = try archiving { () throws(ArchiveError) in
            try archive.vouchedKeys(of: log).map(\.keyring.publicKey)
        }
        let fingerprint = key.fingerprintText
        guard !known.contains(key.x963) else { return true }
        guard known.isEmpty || policy.trusts(newKey: key.fingerprint) else {
            throw Failure(
                .noPermission,
                "\(subject) has the board key \(fingerprint), and the archive knows that board by another; "
                    + remedy)
        }
        guard !isUnattended || policy.trusts(newBoardWith: key.fingerprint) else {
            throw Failure(
                .noPermission,
                "\(subject) has the board key \(fingerprint), which the archive does not know; compare it with "
                    + "`tabard status` or the board's label, and give --trust \(fingerprint)")
        }
        return false
    }
}
