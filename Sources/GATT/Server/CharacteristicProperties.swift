/// The operations that a characteristic's value allows: the first byte of its declaration.
///
/// Bluetooth Core 5.4, Vol 3, Part G, 3.3.1.1. It is not an `OptionSet`, because the literals of an
/// `OptionSet` are arrays, which the board build does not have.
public struct CharacteristicProperties: RawRepresentable, BitwiseCopyable, Equatable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let read = CharacteristicProperties(rawValue: 0x02)
    public static let writeWithoutResponse = CharacteristicProperties(rawValue: 0x04)
    public static let write = CharacteristicProperties(rawValue: 0x08)
    public static let notify = CharacteristicProperties(rawValue: 0x10)
    public static let indicate = CharacteristicProperties(rawValue: 0x20)

    public func union(_ other: Self) -> Self { Self(rawValue: rawValue | other.rawValue) }

    public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
}
