/// Times as logs of phones and of walk tests have them.
enum LogTime {
    /// Seconds since 1970-01-01 of `2021-01-05 17:54:02`, where `T` may stand for the space, and a fraction
    /// and `Z` or an offset such as `+0100` may follow. A time without an offset is taken as UTC.
    static func seconds(in text: ArraySlice<UInt8>) -> Double? {
        var rest = text
        guard let year = number(4, &rest), skip("-", &rest), let month = number(2, &rest), skip("-", &rest),
            let day = number(2, &rest), skip(" ", &rest) || skip("T", &rest),
            let hour = number(2, &rest), skip(":", &rest), let minute = number(2, &rest), skip(":", &rest),
            let second = number(2, &rest),
            year >= 1970, (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
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
        let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
        return Double(minutes * 60 + second) + fraction
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

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        month == 2 && isLeap(year) ? 29 : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400 - 477
        let ofMonths = (1..<month).reduce(0) { $0 + days(in: $1, of: year) }
        return (year - 1970) * 365 + leapDays + ofMonths + day - 1
    }
}
