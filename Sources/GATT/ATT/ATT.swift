import FixedMemory

/// Limits of the Attribute Protocol on an LE link.
public enum ATT {
    /// Every device takes PDUs of so many bytes.
    public static let defaultMTU = 23
    /// What we take: room for a Prepare Write of 512 bytes.
    public static let maximumMTU = 517
    /// The longest attribute value, in bytes.
    public static let maximumValueByteCount = 512
}

/// Room for one ATT PDU of any size that we send.
public typealias ATTBuffer = FixedBuffer<517>

/// Room for one attribute's value.
public typealias AttributeValue = FixedBuffer<512>
