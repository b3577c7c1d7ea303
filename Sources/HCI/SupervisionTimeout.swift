/// The time after which a link without a packet from its peer has ended. Source: Bluetooth Core 5.4, Vol 6,
/// Part B, 4.5.2.
public struct SupervisionTimeout: Sendable, BitwiseCopyable, Equatable {
    /// The timeout, at most 32,000 ms, the maximum that the specification allows.
    public let milliseconds: UInt16

    private static let most: UInt16 = 3_200

    /// `tens` is in units of 10 ms, as on the wire.
    public init(tens: UInt16) { milliseconds = min(tens, Self.most) * 10 }
}
