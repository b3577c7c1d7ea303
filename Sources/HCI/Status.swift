/// An HCI status or error code. Source: Bluetooth Core 5.4, Vol 1, Part F.
public struct Status: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let success = Status(rawValue: 0x00)
    public static let unknownCommand = Status(rawValue: 0x01)
    public static let unknownConnection = Status(rawValue: 0x02)
    public static let connectionTimeout = Status(rawValue: 0x08)
    public static let connectionLimitExceeded = Status(rawValue: 0x09)
    public static let commandDisallowed = Status(rawValue: 0x0c)
    public static let unsupportedFeature = Status(rawValue: 0x11)
    public static let invalidParameters = Status(rawValue: 0x12)
    public static let remoteUserTerminated = Status(rawValue: 0x13)
    public static let localHostTerminated = Status(rawValue: 0x16)
    public static let connectionFailedToBeEstablished = Status(rawValue: 0x3e)
}
