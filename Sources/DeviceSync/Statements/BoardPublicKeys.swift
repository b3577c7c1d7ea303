import Cryptography

/// The public halves of the keys that a board stores (docs/keys.md).
public struct BoardPublicKeys: BitwiseCopyable, Equatable, Sendable {
    /// The board's own key.
    public let board: P256PublicKey
    /// The owner key; its private half reads the log. Nil until the board has been provisioned.
    public var opening: P256PublicKey?
    /// The operator key; its private half signs commands. Nil until the board has been provisioned.
    public var operating: P256PublicKey?

    public init(board: P256PublicKey, opening: P256PublicKey? = nil, operating: P256PublicKey? = nil) {
        self.board = board
        self.opening = opening
        self.operating = operating
    }
}
