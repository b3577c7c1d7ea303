/// Transmit power as advertised (AD type 0x0A). Units: dBm. Range: −127 to +127.
public struct TransmitPower: Equatable, Sendable, BitwiseCopyable {
    public let dBm: Int8

    /// The value that means "unknown" instead of a power.
    public static let unknownDBm: Int8 = -128

    @inline(__always)
    public init?(dBm: Int8) {
        guard dBm > -128 else { return nil }
        self.dBm = dBm
    }
}
