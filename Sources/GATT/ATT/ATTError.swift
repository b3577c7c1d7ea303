/// An error code of the Attribute Protocol. It is not an enumeration because peers send error codes of their
/// own.
///
/// Bluetooth Core 5.4, Vol 3, Part F, 3.4.1.1.
public struct ATTError: Error, RawRepresentable, BitwiseCopyable, Equatable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let invalidHandle = ATTError(rawValue: 0x01)
    public static let readNotPermitted = ATTError(rawValue: 0x02)
    public static let writeNotPermitted = ATTError(rawValue: 0x03)
    public static let invalidPDU = ATTError(rawValue: 0x04)
    public static let insufficientAuthentication = ATTError(rawValue: 0x05)
    public static let requestNotSupported = ATTError(rawValue: 0x06)
    public static let invalidOffset = ATTError(rawValue: 0x07)
    public static let insufficientAuthorization = ATTError(rawValue: 0x08)
    public static let prepareQueueFull = ATTError(rawValue: 0x09)
    public static let attributeNotFound = ATTError(rawValue: 0x0a)
    public static let attributeNotLong = ATTError(rawValue: 0x0b)
    public static let encryptionKeyTooShort = ATTError(rawValue: 0x0c)
    public static let invalidAttributeValueLength = ATTError(rawValue: 0x0d)
    public static let unlikelyError = ATTError(rawValue: 0x0e)
    public static let insufficientEncryption = ATTError(rawValue: 0x0f)
    public static let unsupportedGroupType = ATTError(rawValue: 0x10)
    public static let insufficientResources = ATTError(rawValue: 0x11)
    public static let valueNotAllowed = ATTError(rawValue: 0x13)

    /// Whether the same request will meet the same error for as long as the devices are not paired. Tabard
    /// never pairs, and an iPhone that answers in this way may ask its owner whether to pair. So the caller
    /// does not repeat the request.
    public var isLasting: Bool {
        switch self {
        case .readNotPermitted, .writeNotPermitted, .insufficientAuthentication, .requestNotSupported,
            .insufficientAuthorization, .encryptionKeyTooShort, .insufficientEncryption:
            true
        default: false
        }
    }
}
