import FixedMemory
import LogContents

/// A board whose log the archive has.
public struct ArchivedBoard: Sendable, Equatable {
    public let identity: LogIdentity
    /// The name that the operator, or the board's own configuration, has given the board.
    public var name: String?
    public let blockByteCount: Int
    /// The unit of page lengths.
    public let unitByteCount: Int
    public let lastSync: WallClockTime?
    /// Since when the board is out of service; nil for one in service.
    public var retirement: WallClockTime?

    /// - Parameter unitByteCount: nil if pages take whole blocks.
    public init(
        identity: LogIdentity, name: String?, blockByteCount: Int, unitByteCount: Int? = nil,
        lastSync: WallClockTime?, retirement: WallClockTime? = nil
    ) {
        self.identity = identity
        self.name = name
        self.blockByteCount = blockByteCount
        self.unitByteCount = unitByteCount ?? blockByteCount
        self.lastSync = lastSync
        self.retirement = retirement
    }

    /// The name in one line, or the first 8 digits of the log identity.
    public var label: String { name.map(OneLineText.text) ?? identity.short }
}
