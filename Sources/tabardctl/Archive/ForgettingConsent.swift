import Archive
import CommandLineText
import FixedMemory
import KeyFiles
import LogContents

/// The conditions for removing anything: the keys of the remaining pages, and the operator's consent.
struct ForgettingConsent {
    let keys: OwnerKeys
    let options: ConsentOptions

    /// - Parameter fingerprints: those of the owner keys that decrypted the remaining pages.
    func requireKeys(_ fingerprints: [Bytes<16>], of board: ArchivedBoard) throws(Failure) {
        guard let missing = fingerprints.first(where: { !keys.fingerprints.contains($0) }) else { return }
        throw Failure(
            .noInput,
            "\(board.label): the remaining pages need owner key \(Fingerprint.text(missing)); give its "
                + "file with --opening"
        )
    }

    func isGiven() throws(Failure) -> Bool {
        try options.isGiven("Remove this permanently?", otherwise: "nothing was removed")
    }
}
