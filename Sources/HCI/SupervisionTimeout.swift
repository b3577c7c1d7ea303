/// After so long without a word from its peer a link has ended. Source: Bluetooth Core 5.4, Vol 6, Part B, 4.5.2.
public struct SupervisionTimeout: Sendable, BitwiseCopyable, Equatable {
    /// At most 32 s: no link has more.
    public let milliseconds: UInt16

    private static let most: UInt16 = 3_200

    /// `tens`: of milliseconds, as on the wire.
    public init(tens: UInt16) { milliseconds = min(tens, Self.most) * 10 }
}
