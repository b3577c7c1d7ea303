import Foundation

/// An archive has contacts in clear, and keys from which a board's identities are derived. Only its owner may
/// read it.
struct ArchivePrivacy {
    let path: String

    /// Says if other users can read the archive. A command that writes makes it private.
    ///
    /// The file must have been opened as an archive before, because the mode of other files is not ours.
    func ensure(mends: Bool) {
        guard let mode, mode & 0o077 != 0 else { return }
        if mends, chmod(path, mode & 0o700) == 0 {
            Console.report("tabardctl: \(path): other users could read the archive; now only you can")
        } else {
            Console.report(
                "tabardctl: \(path): other users can read the archive; make it private with chmod 600")
        }
    }

    /// Nil if there is no such file.
    private var mode: mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
