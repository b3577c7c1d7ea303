/// Reservations about an identity that its bytes do not show. Bits without a name here are read unchanged.
public struct IdentityMarks: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The agent read it over a link or from an advert, and nothing speaks against it.
    public static let none = IdentityMarks(rawValue: 0)
    /// The peer wrote it to us, and a peer can write anything.
    public static let written = IdentityMarks(rawValue: 1)
    /// It contains a time that the board could not check, because the board did not know the time.
    public static let timeUnchecked = IdentityMarks(rawValue: 2)

    public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
    public func union(_ other: Self) -> Self { Self(rawValue: rawValue | other.rawValue) }
    public func intersection(_ other: Self) -> Self { Self(rawValue: rawValue & other.rawValue) }
}
