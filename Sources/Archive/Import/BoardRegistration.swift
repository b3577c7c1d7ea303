import LogContents

/// How a board's log is divided into pages.
public struct PageGeometry: Sendable, Equatable {
    /// No page crosses the border of a block.
    public let blockByteCount: Int
    /// A page takes one or more units.
    public let unitByteCount: Int

    public init(blockByteCount: Int, unitByteCount: Int) {
        self.blockByteCount = blockByteCount
        self.unitByteCount = unitByteCount
    }
}

/// A board as it has presented itself, with its proof.
public struct BoardRegistration: Sendable {
    /// The log identity that the board claims.
    public let claimed: LogIdentity
    public let isTrusted: Bool
    public let geometry: PageGeometry
    /// The operator's new name for the board.
    public var name: String?
    /// The key with which it proved itself; nil for a board without keys.
    public var key: StoredBoardKey?
    /// The statement that it signed as a proof.
    public var manifest: StoredManifest?

    public init(claimed: LogIdentity, isTrusted: Bool, geometry: PageGeometry) {
        self.claimed = claimed
        self.isTrusted = isTrusted
        self.geometry = geometry
    }
}
