import FixedMemory

/// The Logical Link Control and Adaptation Protocol as far as an LE link without dynamic channels needs it.
///
/// Bluetooth Core 5.4, Vol 3, Part A.
public enum L2CAP {
    /// Length and channel, 2 bytes each, little-endian.
    public static let headerByteCount = 4
    /// The longest payload that we send or take: an ATT PDU.
    public static let maximumPayloadByteCount = ATT.maximumMTU
}

/// The fixed channels of an LE link.
public enum L2CAPChannel: UInt16, BitwiseCopyable, Sendable {
    case attributeProtocol = 0x0004
    case signalling = 0x0005
    case securityManager = 0x0006
}

/// The packet boundary flag of an ACL data packet: bits 12 and 13 of its first 16-bit word.
///
/// Bluetooth Core 5.4, Vol 4, Part E, 5.4.2.
public enum ACLBoundary: UInt8, BitwiseCopyable, Sendable {
    /// Begins a PDU; the only beginning that a host may send on LE.
    case firstNonFlushable = 0b00
    case continuation = 0b01
    /// Begins a PDU; what controllers send.
    case firstFlushable = 0b10
    /// Not used on LE.
    case wholeFlushable = 0b11
}

/// Our part in a link.
public enum LinkRole: UInt8, BitwiseCopyable, Sendable {
    case central = 0
    case peripheral = 1
}
