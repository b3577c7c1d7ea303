/// The events that the controller shall report. On a user channel no other filter exists, and each reset
/// clears it.
public enum EventMask {
    /// Disconnection Complete (bit 4), Hardware Error (15), Data Buffer Overflow (25), LE Meta (61). Command
    /// Complete, Command Status and Number Of Completed Packets cannot be masked.
    /// Source: Bluetooth Core 5.4, Vol 4, Part E, 7.3.1.
    public static let general: UInt64 = 1 << 4 | 1 << 15 | 1 << 25 | 1 << 61

    /// Connection Complete (bit 0), Advertising Report (1), Connection Update Complete (2), Long Term Key
    /// Request (4). 7.8.1.
    public static let lowEnergy: UInt64 = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4

    /// The same with Extended Advertising Report (bit 12), which the extended scan commands produce.
    public static let lowEnergyExtended: UInt64 = lowEnergy | 1 << 12
}
