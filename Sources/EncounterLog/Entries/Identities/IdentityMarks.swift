/// What is to be known of an identity beside its bytes. Bits not named here survive being read.
public struct IdentityMarks: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// We asked for it, or an advert says it, and nothing is to be said against it.
    public static let none = IdentityMarks(rawValue: 0)
    /// The peer wrote it to us: anybody can write anything.
    public static let written = IdentityMarks(rawValue: 1)
    /// It has a time in it, which could not be compared, for the board did not know what time it was.
    public static let timeUnchecked = IdentityMarks(rawValue: 2)

    public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
    public func union(_ other: Self) -> Self { Self(rawValue: rawValue | other.rawValue) }
    public func intersection(_ other: Self) -> Self { Self(rawValue: rawValue & other.rawValue) }
}
