/// Decimal numbers without exponents, infinities and the other things that `Double.init` accepts.
enum DecimalText {
    static let longestBytes = 16

    static func value(of text: ArraySlice<UInt8>) -> Double? {
        guard text.count <= longestBytes else { return nil }
        var rest = text
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        var digits = 0.0
        var scale = 1.0
        var isFraction = false
        var digitCount = 0
        for byte in rest {
            switch byte {
            case UInt8(ascii: ".") where !isFraction && digitCount > 0: isFraction = true
            case 48...57:
                digits = digits * 10 + Double(byte - 48)
                digitCount += 1
                if isFraction { scale *= 10 }
            default: return nil
            }
        }
        guard digitCount > 0, rest.last != UInt8(ascii: ".") else { return nil }
        return (isNegative ? -digits : digits) / scale
    }
}
