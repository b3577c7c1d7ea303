/// The packet indicator, the first byte of an H4 packet. Source: Bluetooth Core 5.4, Vol 4, Part A, 2.
public enum PacketIndicator: UInt8, BitwiseCopyable, Sendable {
    case command = 0x01
    case aclData = 0x02
    case synchronousData = 0x03
    case event = 0x04
    case isochronousData = 0x05

    /// The header bytes after the indicator; with them the length of the packet is known.
    public var headerByteCount: Int {
        switch self {
        case .command, .synchronousData: 3
        case .aclData, .isochronousData: 4
        case .event: 2
        }
    }
}

/// A connection's number at this controller: 12 bits, and 0 is valid.
public struct ConnectionHandle: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.1.
    static let largest: UInt16 = 0x0eff

    public let rawValue: UInt16

    /// Masks off the upper four bits, which carry flags in ACL headers.
    public init(rawValue: UInt16) { self.rawValue = rawValue & 0x0fff }
}
