import TextFormats

/// Times as logs of phones and of walk tests have them.
enum LogTime {
    /// Seconds since 1970-01-01 of `2021-01-05 17:54:02`, where `T` may stand for the space, and a fraction
    /// and `Z` or an offset such as `+0100` may follow. A time without an offset is taken as UTC.
    static func seconds(in text: ArraySlice<UInt8>) -> Double? {
        guard let seconds = CivilTime.seconds(text), seconds >= 0 else { return nil }
        var rest = text.dropFirst(CivilTime.textByteCount)
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard (1...9).contains(digits.count),
                let value = DecimalText.value(of: ArraySlice("0.".utf8) + digits)
            else {
                return nil
            }
            fraction = value
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offsetMinutes(in: rest) else { return nil }
        return Double(seconds - Int64(offset) * 60) + fraction
    }

    private static func offsetMinutes(in text: ArraySlice<UInt8>) -> Int? {
        if text.isEmpty || text.elementsEqual("Z".utf8) { return 0 }
        var rest = text
        let isNegative = skip("-", &rest)
        guard isNegative || skip("+", &rest), let hours = number(2, &rest) else { return nil }
        _ = skip(":", &rest)
        guard let minutes = number(2, &rest), rest.isEmpty, hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isNegative ? -1 : 1)
    }

    private static func number(_ digitCount: Int, _ text: inout ArraySlice<UInt8>) -> Int? {
        guard text.count >= digitCount else { return nil }
        var value = 0
        for byte in text.prefix(digitCount) {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        text = text.dropFirst(digitCount)
        return value
    }

    private static func skip(_ character: Unicode.Scalar, _ text: inout ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: character) else { return false }
        text = text.dropFirst()
        return true
    }
}
