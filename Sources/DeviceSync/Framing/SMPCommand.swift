/// A command: its group and its number within the group.
public struct SMPCommand: Equatable, Sendable {
    public let group: UInt16
    public let command: UInt8

    public init(group: UInt16, command: UInt8) {
        self.group = group
        self.command = command
    }

    public static let operatingSystemGroup: UInt16 = 0
    public static let fileGroup: UInt16 = 8
    public static let enumerationGroup: UInt16 = 10
    /// Tabard's own group; groups from 64 on are for vendors.
    public static let tabardGroup: UInt16 = 64

    public static let echo = SMPCommand(group: operatingSystemGroup, command: 0)
    public static let dateTime = SMPCommand(group: operatingSystemGroup, command: 4)
    public static let reset = SMPCommand(group: operatingSystemGroup, command: 5)
    public static let parameters = SMPCommand(group: operatingSystemGroup, command: 6)

    /// Reading is a download, writing an upload.
    public static let fileTransfer = SMPCommand(group: fileGroup, command: 0)
    public static let fileStatus = SMPCommand(group: fileGroup, command: 1)
    public static let fileHash = SMPCommand(group: fileGroup, command: 2)
    public static let fileHashTypes = SMPCommand(group: fileGroup, command: 3)
    public static let fileClose = SMPCommand(group: fileGroup, command: 4)

    public static let groupCount = SMPCommand(group: enumerationGroup, command: 0)
    public static let groupList = SMPCommand(group: enumerationGroup, command: 1)

    public static let boardStatus = SMPCommand(group: tabardGroup, command: 0)
    public static let clock = SMPCommand(group: tabardGroup, command: 1)
    /// Writing sends a message; reading returns its delivery state.
    public static let message = SMPCommand(group: tabardGroup, command: 2)
    public static let time = SMPCommand(group: tabardGroup, command: 3)
    public static let nonce = SMPCommand(group: tabardGroup, command: 4)
    /// The envelope of a signed command.
    public static let signed = SMPCommand(group: tabardGroup, command: 5)
    /// The board's signed statement about its log.
    public static let manifest = SMPCommand(group: tabardGroup, command: 6)
    /// Acknowledges that the log is safely stored elsewhere, up to a position.
    public static let acknowledge = SMPCommand(group: tabardGroup, command: 7)
    public static let erase = SMPCommand(group: tabardGroup, command: 8)
    /// Writing provisions or rotates the keys.
    public static let keys = SMPCommand(group: tabardGroup, command: 9)
    /// Sets some configuration keys; the configuration itself is read as a file.
    public static let configuration = SMPCommand(group: tabardGroup, command: 10)
    /// Stores the secrets from which identities of a scheme are derived.
    public static let secrets = SMPCommand(group: tabardGroup, command: 11)
    /// Announces a file with another agent.
    public static let update = SMPCommand(group: tabardGroup, command: 12)
    /// Sends a piece of that file.
    public static let updatePiece = SMPCommand(group: tabardGroup, command: 13)
    /// Requests a copy of a scheme's secrets, sealed for the board's owner.
    public static let backup = SMPCommand(group: tabardGroup, command: 14)
}
