import FixedMemory

/// Up to 128 bytes from a literal of lower-case hexadecimal digits, for known-answer tests.
public struct KnownBytes {
    public private(set) var bytes = InlineArray<128, UInt8>(repeating: 0)
    public let count: Int

    public init(_ digits: StaticString) {
        count = digits.utf8CodeUnitCount / 2
        for index in 0..<count {
            bytes[index] =
                Self.value(digits.utf8Start[2 * index]) << 4 | Self.value(digits.utf8Start[2 * index + 1])
        }
    }

    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { bytes.span.extracting(0..<count) }
    }

    /// Flips the last bit, which makes a valid value invalid.
    mutating func flipLastBit() { bytes[count - 1] ^= 1 }

    @inline(never)
    public func equals(_ other: Span<UInt8>) -> Bool { span.isEqual(to: other) }

    mutating func mutate<Result>(
        _ change: (inout MutableSpan<UInt8>) throws(CryptographyError) -> Result
    ) throws(CryptographyError) -> Result {
        var all = bytes.mutableSpan
        var part = all._mutatingExtracting(0..<count)
        return try change(&part)
    }

    private static func value(_ digit: UInt8) -> UInt8 {
        digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
    }
}
