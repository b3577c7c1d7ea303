import FixedMemory

/// The part of the Logical Link Control and Adaptation Protocol that an LE link without dynamic channels
/// needs.
///
/// Bluetooth Core 5.4, Vol 3, Part A.
public enum L2CAP {
    /// The header: length and channel, 2 bytes each, little-endian.
    public static let headerByteCount = 4
    /// The longest payload that this implementation sends or accepts: an ATT PDU.
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
    /// The start of a PDU; the only kind of start that a host may send on LE.
    case firstNonFlushable = 0b00
    case continuation = 0b01
    /// The start of a PDU in packets from controllers.
    case firstFlushable = 0b10
    /// A flag that LE does not use.
    case wholeFlushable = 0b11
}

/// The local device's role on a link.
public enum LinkRole: UInt8, BitwiseCopyable, Sendable {
    case central = 0
    case peripheral = 1
}
