extension [UInt8] {
    /// Makes bytes from hexadecimal digits; spaces are ignored. Traps on anything else, because the text is
    /// in a test.
    public init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }
        precondition(digits.count.isMultiple(of: 2), "an odd number of digits in \(hex)")
        self = stride(from: 0, to: digits.count, by: 2).map { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            guard let byte = UInt8(digits[start...].prefix(2), radix: 16) else {
                preconditionFailure("not hexadecimal: \(hex)")
            }
            return byte
        }
    }

    public var hex: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
