import Cryptography

/// The public halves of the keys that a board stores (docs/keys.md).
public struct BoardPublicKeys: BitwiseCopyable, Equatable, Sendable {
    /// The board's own key.
    public let board: P256PublicKey
    /// The owner key; its private half reads the log. Nil until the board has been provisioned.
    public var ownerKey: P256PublicKey?
    /// The operator key; its private half signs commands. Nil until the board has been provisioned.
    public var operatorKey: P256PublicKey?

    public init(board: P256PublicKey, ownerKey: P256PublicKey? = nil, operatorKey: P256PublicKey? = nil) {
        self.board = board
        self.ownerKey = ownerKey
        self.operatorKey = operatorKey
    }
}
