/// Received signal strength. Units: dBm. Range: −127 to +20.
public struct RSSI: Equatable, Hashable, Comparable, Sendable, BitwiseCopyable {
    public let dBm: Int8

    /// Nil for 127, which means "not available", and for the reserved values above +20. Source: Bluetooth
    /// Core 5.4, Vol 4, Part E, 7.7.65.2.
    @inline(__always)
    public init?(dBm: Int8) {
        guard dBm <= 20, dBm >= -127 else { return nil }
        self.dBm = dBm
    }

    /// The value with which controllers report "not available".
    public static let unknownDBm: Int8 = 127

    public static func < (left: RSSI, right: RSSI) -> Bool { left.dBm < right.dBm }
}
