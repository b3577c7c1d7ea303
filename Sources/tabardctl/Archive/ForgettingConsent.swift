import Archive
import CommandLineText
import FixedMemory
import KeyFiles
import LogContents

/// What has to be there before anything is forgotten: the keys for what stays, and somebody's word.
struct ForgettingConsent {
    let keys: OwnerKeys
    /// Whether to ask.
    let asks: Bool

    /// - Parameter fingerprints: of the keys that what stays was opened with.
    func requireKeys(_ fingerprints: [Bytes<16>], of board: BoardSummary) throws(Failure) {
        guard let missing = fingerprints.first(where: { !keys.fingerprints.contains($0) }) else { return }
        throw Failure(
            .noInput,
            "\(board.label): the remaining pages need owner key \(Fingerprint.text(missing)); give its "
                + "file with --opening"
        )
    }

    func confirm() throws(Failure) {
        try Consent.require("Remove this permanently?", yes: !asks, otherwise: "nothing was removed")
    }
}
