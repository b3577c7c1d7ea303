import Cryptography

/// The public halves of the keys that a board knows (docs/keys.md).
public struct BoardPublicKeys: BitwiseCopyable, Equatable, Sendable {
    /// Its own.
    public let board: P256PublicKey
    /// Whose private half reads the log; nil while nobody has provisioned the board.
    public var opening: P256PublicKey?
    /// Whose private half signs commands; nil likewise.
    public var operating: P256PublicKey?

    public init(board: P256PublicKey, opening: P256PublicKey? = nil, operating: P256PublicKey? = nil) {
        self.board = board
        self.opening = opening
        self.operating = operating
    }
}
