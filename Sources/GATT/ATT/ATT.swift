import FixedMemory

/// Limits of the Attribute Protocol on an LE link.
public enum ATT {
    /// The PDU size in bytes that every device accepts.
    public static let defaultMTU = 23
    /// The PDU size that this implementation accepts: a Prepare Write of 512 bytes fits.
    public static let maximumMTU = 517
    /// The maximum length of an attribute value, in bytes.
    public static let maximumValueByteCount = 512
}

/// A buffer for one ATT PDU of any size that this implementation sends.
public typealias ATTBuffer = FixedBuffer<517>

/// A buffer for the value of one attribute.
public typealias AttributeValue = FixedBuffer<512>
