/// The 16 random bytes that identify a board's log, generated when its storage is formatted. Formatting the
/// storage again begins a new log.
public struct LogIdentity: Hashable, Sendable {
    public static let byteCount = 16

    public let bytes: [UInt8]

    /// Nil unless there are exactly 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Nil unless the text has 32 hexadecimal digits.
    public init?(hexadecimal text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: text) else { return nil }
        self.init(bytes)
    }

    /// 32 lower-case hexadecimal digits.
    public var hexadecimal: String { bytes.hexadecimal }

    /// The first 8 digits, which suffice to distinguish one operator's boards.
    public var short: String { String(hexadecimal.prefix(8)) }
}

extension [UInt8] {
    /// Nil for an odd number of digits, or if a character is not a hexadecimal digit.
    public init?(hexadecimal text: some StringProtocol) {
        let digits = Array<Character>(text)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for offset in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[offset].hexDigitValue, let low = digits[offset + 1].hexDigitValue else {
                return nil
            }
            bytes.append(UInt8(high << 4 | low))
        }
        self = bytes
    }

    public var hexadecimal: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            for (place, byte) in enumerated() {
                text[2 * place] = Self.digit(byte >> 4)
                text[2 * place + 1] = Self.digit(byte & 15)
            }
            return 2 * count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
