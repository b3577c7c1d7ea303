/// A command: its group and its number there.
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
    /// Groups from 64 on are a vendor's own; this one is Tabard's.
    public static let tabardGroup: UInt16 = 64

    public static let echo = SMPCommand(group: operatingSystemGroup, command: 0)
    public static let dateTime = SMPCommand(group: operatingSystemGroup, command: 4)
    public static let reset = SMPCommand(group: operatingSystemGroup, command: 5)
    public static let parameters = SMPCommand(group: operatingSystemGroup, command: 6)

    /// Read is download, write is upload.
    public static let fileTransfer = SMPCommand(group: fileGroup, command: 0)
    public static let fileStatus = SMPCommand(group: fileGroup, command: 1)
    public static let fileHash = SMPCommand(group: fileGroup, command: 2)
    public static let fileHashTypes = SMPCommand(group: fileGroup, command: 3)
    public static let fileClose = SMPCommand(group: fileGroup, command: 4)

    public static let groupCount = SMPCommand(group: enumerationGroup, command: 0)
    public static let groupList = SMPCommand(group: enumerationGroup, command: 1)

    public static let boardStatus = SMPCommand(group: tabardGroup, command: 0)
    public static let clock = SMPCommand(group: tabardGroup, command: 1)
    /// Read asks what became of one.
    public static let message = SMPCommand(group: tabardGroup, command: 2)
    public static let time = SMPCommand(group: tabardGroup, command: 3)
    public static let nonce = SMPCommand(group: tabardGroup, command: 4)
    /// The envelope of a command.
    public static let signed = SMPCommand(group: tabardGroup, command: 5)
    /// What the board says of its log, signed.
    public static let manifest = SMPCommand(group: tabardGroup, command: 6)
    /// So far the log is safe elsewhere.
    public static let acknowledge = SMPCommand(group: tabardGroup, command: 7)
    public static let erase = SMPCommand(group: tabardGroup, command: 8)
    /// Write is provision, or rotate.
    public static let keys = SMPCommand(group: tabardGroup, command: 9)
    /// Sets some of it; what it is stands in a file.
    public static let configuration = SMPCommand(group: tabardGroup, command: 10)
    /// What identities of a scheme follow from.
    public static let secrets = SMPCommand(group: tabardGroup, command: 11)
}
