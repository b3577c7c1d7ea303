/// Identifies an advertising set to the controller: Advertising_Handle, 0x00 to 0xEF.
///
/// Bluetooth Core 5.4, Vol 4, Part E, 7.8.53.
public struct AdvertisingHandle: BitwiseCopyable, Equatable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        precondition(rawValue <= 0xef)
        self.rawValue = rawValue
    }

    /// The first set, which every controller with the extended commands has.
    public static var first: AdvertisingHandle { AdvertisingHandle(rawValue: 0) }
}
