/// Text output without String: human-readable lines, written into fixed memory.
extension ByteSink where Self: ~Copyable {
    /// Appends an integer in decimal, with a minus sign if it is negative.
    public mutating func append(decimal value: some FixedWidthInteger) throws(CapacityError) {
        // The 20 bytes hold the largest UInt64, or the sign and 19 digits of the smallest Int64.
        var digits = Bytes<20>()
        var rest = UInt64(truncatingIfNeeded: value.magnitude)
        var first = 20
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest != 0
        if value < 0 {
            first -= 1
            digits[first] = UInt8(ascii: "-")
        }
        try append(digits.span.extracting(first..<20))
    }

    /// Appends the last `digitCount` decimal digits of `value`, with leading zeros.
    @inlinable
    public mutating func append(decimal value: UInt64, digitCount: Int) throws(CapacityError) {
        var divisor: UInt64 = 1
        for _ in 1..<digitCount { divisor *= 10 }
        for _ in 0..<digitCount {
            try append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }

    public mutating func append(hex bytes: Span<UInt8>) throws(CapacityError) {
        for index in bytes.indices { try append(hexByte: bytes[index]) }
    }

    /// Appends one byte as two hexadecimal digits.
    @inline(never)
    public mutating func append(hexByte byte: UInt8, uppercase: Bool = false) throws(CapacityError) {
        guard freeCount >= 2 else { throw CapacityError() }
        try append(hexDigit(byte >> 4, uppercase: uppercase))
        try append(hexDigit(byte & 15, uppercase: uppercase))
    }

    /// Appends the last `digitCount` hexadecimal digits of `value`, most significant digit first.
    public mutating func append(hex value: UInt64, digitCount: Int) throws(CapacityError) {
        var shift = UInt64(truncatingIfNeeded: 4 * digitCount)
        while shift > 0 {
            shift -= 4
            try append(hexDigit(UInt8(truncatingIfNeeded: value >> shift) & 15))
        }
    }

    /// Appends a C string up to its terminator.
    public mutating func append(cString: UnsafePointer<CChar>) throws(CapacityError) {
        var index = 0
        while cString[index] != 0 {
            try append(UInt8(bitPattern: cString[index]))
            index += 1
        }
    }
}

private func hexDigit(_ value: UInt8, uppercase: Bool = false) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: uppercase ? "A" : "a") + value - 10
}
