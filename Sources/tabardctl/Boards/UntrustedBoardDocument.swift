import Archive
import KeyFiles
import Reports

/// A board that nobody has trusted yet, as `tabardctl trust --json` prints it. Later versions only add
/// fields; they never rename or remove one.
struct UntrustedBoardDocument: PrintedRow {
    static let schema = PrintedSchema("untrusted-boards")

    /// The log identity that the board claims.
    let board: String
    @NullIfUnknown private(set) var name: String?
    let segments: Int
    let bytes: Int
    /// The fingerprint of the board's own key; null for a board without keys.
    @NullIfUnknown private(set) var boardKey: String?

    init(_ untrusted: UntrustedBoard) {
        board = untrusted.claimedIdentity.hexadecimal
        name = untrusted.name
        segments = untrusted.segmentCount
        bytes = untrusted.byteCount
        boardKey = untrusted.keyFingerprint.map(Fingerprint.text)
    }
}
