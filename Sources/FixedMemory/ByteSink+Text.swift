extension ByteSink where Self: ~Copyable {
    /// A whole number in decimal digits, with a minus sign if need be. All digits or, if they do not fit, none.
    public mutating func append(decimal value: some FixedWidthInteger) throws(CapacityError) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var digitCount = 0
        var rest = UInt64(truncatingIfNeeded: value.magnitude)
        repeat {
            digits[digitCount] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            digitCount += 1
            rest /= 10
        } while rest > 0
        let isNegative = value < 0
        guard digitCount + (isNegative ? 1 : 0) <= freeCount else { throw CapacityError() }
        if isNegative { try append(UInt8(ascii: "-")) }
        for index in (0..<digitCount).reversed() { try append(digits[index]) }
    }

    /// Two hexadecimal digits.
    public mutating func append(hexadecimal byte: UInt8, uppercase: Bool = false) throws(CapacityError) {
        guard freeCount >= 2 else { throw CapacityError() }
        try append(hexadecimalDigit(byte >> 4, uppercase))
        try append(hexadecimalDigit(byte & 15, uppercase))
    }

    private func hexadecimalDigit(_ value: UInt8, _ uppercase: Bool) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: uppercase ? "A" : "a") + value - 10
    }
}
