/// Text without String: lines for people, made in fixed memory.
extension ByteSink where Self: ~Copyable {
    public mutating func append(decimal value: UInt64) throws(CapacityError) {
        var digits = Bytes<20>()
        var rest = value
        var first = 20
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest != 0
        try append(digits.span.extracting(first..<20))
    }

    public mutating func append(decimal value: Int) throws(CapacityError) {
        if value < 0 { try append(UInt8(ascii: "-")) }
        try append(decimal: UInt64(value.magnitude))
    }

    public mutating func append(hex bytes: Span<UInt8>) throws(CapacityError) {
        for index in bytes.indices { try append(hexByte: bytes[index]) }
    }

    public mutating func append(hexByte byte: UInt8) throws(CapacityError) {
        try append(hexDigit(byte >> 4))
        try append(hexDigit(byte & 15))
    }

    /// Hexadecimal, most significant digit first, at least `digitCount` digits.
    public mutating func append(hex value: UInt64, digitCount: Int) throws(CapacityError) {
        var shift = UInt64(truncatingIfNeeded: 4 * digitCount)
        while shift > 0 {
            shift -= 4
            try append(hexDigit(UInt8(truncatingIfNeeded: value >> shift) & 15))
        }
    }

    /// A C string up to its terminator.
    public mutating func append(cString: UnsafePointer<CChar>) throws(CapacityError) {
        var index = 0
        while cString[index] != 0 {
            try append(UInt8(bitPattern: cString[index]))
            index += 1
        }
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
