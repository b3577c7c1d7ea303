/// A command's op code, with the group in the top six bits. Source: Bluetooth Core 5.4, Vol 4, Part E, 7.
public struct OpCode: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The op code of a Command Complete that only returns credits.
    public static let none = OpCode(rawValue: 0x0000)
    public static let disconnect = OpCode(rawValue: 0x0406)
    public static let setEventMask = OpCode(rawValue: 0x0c01)
    public static let reset = OpCode(rawValue: 0x0c03)
    public static let readLocalVersion = OpCode(rawValue: 0x1001)
    public static let readRSSI = OpCode(rawValue: 0x1405)
    public static let readLocalSupportedCommands = OpCode(rawValue: 0x1002)
    public static let readBufferSize = OpCode(rawValue: 0x1005)
    public static let readDeviceAddress = OpCode(rawValue: 0x1009)
    public static let leSetEventMask = OpCode(rawValue: 0x2001)
    public static let leReadBufferSize = OpCode(rawValue: 0x2002)
    public static let leReadLocalFeatures = OpCode(rawValue: 0x2003)
    public static let leSetRandomAddress = OpCode(rawValue: 0x2005)
    public static let leSetAdvertisingParameters = OpCode(rawValue: 0x2006)
    public static let leSetAdvertisingData = OpCode(rawValue: 0x2008)
    public static let leSetAdvertisingEnable = OpCode(rawValue: 0x200a)
    public static let leSetScanParameters = OpCode(rawValue: 0x200b)
    public static let leSetScanEnable = OpCode(rawValue: 0x200c)
    public static let leCreateConnection = OpCode(rawValue: 0x200d)
    public static let leCreateConnectionCancel = OpCode(rawValue: 0x200e)
    public static let leConnectionUpdate = OpCode(rawValue: 0x2013)
    public static let leLongTermKeyRequestNegativeReply = OpCode(rawValue: 0x201b)
    public static let leSetAdvertisingSetRandomAddress = OpCode(rawValue: 0x2035)
    public static let leSetExtendedAdvertisingParameters = OpCode(rawValue: 0x2036)
    public static let leSetExtendedAdvertisingData = OpCode(rawValue: 0x2037)
    public static let leSetExtendedAdvertisingEnable = OpCode(rawValue: 0x2039)
    public static let leSetExtendedScanParameters = OpCode(rawValue: 0x2041)
    public static let leSetExtendedScanEnable = OpCode(rawValue: 0x2042)
    public static let leExtendedCreateConnection = OpCode(rawValue: 0x2043)

    /// Whether the controller answers with Command Status alone, and reports the outcome in an event of its
    /// own. All other commands of the agent are answered by Command Complete; a Command Status with an error
    /// ends those, too. Source: Bluetooth Core 5.4, Vol 4, Part E, 4.4.
    public var isAnsweredByStatus: Bool {
        switch self {
        case .disconnect, .leCreateConnection, .leExtendedCreateConnection, .leConnectionUpdate: true
        default: false
        }
    }

    /// Whether this is LE Create Connection of either family.
    public var isConnecting: Bool { self == .leCreateConnection || self == .leExtendedCreateConnection }

    /// Whether this is one of the extended commands for advertising, scanning and connecting.
    public var isExtended: Bool {
        switch self {
        case .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters,
            .leSetExtendedAdvertisingData, .leSetExtendedAdvertisingEnable, .leSetExtendedScanParameters,
            .leSetExtendedScanEnable, .leExtendedCreateConnection:
            true
        default: false
        }
    }
}
