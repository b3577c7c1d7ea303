import FixedMemory

/// The time after which a link without a packet from its peer has ended. Source: Bluetooth Core 5.4, Vol 6,
/// Part B, 4.5.2.
public struct SupervisionTimeout: Sendable, BitwiseCopyable, Equatable {
    /// The timeout, at most 32,000 ms, the maximum that the specification allows.
    public var interval: Interval { .milliseconds(UInt64(tens) * 10) }

    private static let most: UInt16 = 3_200

    private let tens: UInt16

    /// `tens` is in units of 10 ms, as on the wire.
    public init(tens: UInt16) { self.tens = min(tens, Self.most) }
}
