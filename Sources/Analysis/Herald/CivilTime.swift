/// Dates and times of the Gregorian calendar as log files write them, counted in seconds since 1970-01-01
/// 00:00:00 of the clock that wrote them.
public enum CivilTime {
    /// The length of a text such as "2020-12-08 23:20:00".
    public static let textByteCount = 19
    /// The range of four-digit years, 0 to 9999.
    public static let representableSeconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Parses `yyyy-MM-dd HH:mm:ss` at the beginning of `text`, and ignores what follows, as Herald's scripts
    /// do. Nil for anything else.
    public static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count >= textByteCount else { return nil }
        let start = text.startIndex
        guard text[start + 4] == dash, text[start + 7] == dash, text[start + 10] == UInt8(ascii: " "),
            text[start + 13] == colon, text[start + 16] == colon,
            let century = twoDigits(text, start), let yearOfCentury = twoDigits(text, start + 2),
            let month = twoDigits(text, start + 5), let day = twoDigits(text, start + 8),
            let hour = twoDigits(text, start + 11), let minute = twoDigits(text, start + 14),
            let second = twoDigits(text, start + 17)
        else { return nil }
        let year = century * 100 + yearOfCentury
        guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 60 else { return nil }
        let days = self.days(year: year, month: month, day: day)
        // A date such as 31 February would otherwise become another date.
        guard date(days: days).day == day else { return nil }
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// Appends `yyyy-MM-dd HH:mm:ss`. Times beyond four-digit years become the nearest time within them.
    public static func append(_ seconds: Int64, to text: inout [UInt8]) {
        let seconds = min(max(seconds, representableSeconds.lowerBound), representableSeconds.upperBound)
        let days = floor(seconds, by: 86_400)
        let date = date(days: days)
        let second = seconds - days * 86_400
        appendTwoDigits(date.year / 100, to: &text)
        appendTwoDigits(date.year % 100, to: &text)
        text.append(dash)
        appendTwoDigits(date.month, to: &text)
        text.append(dash)
        appendTwoDigits(date.day, to: &text)
        text.append(UInt8(ascii: " "))
        appendTwoDigits(second / 3_600, to: &text)
        text.append(colon)
        appendTwoDigits(second / 60 % 60, to: &text)
        text.append(colon)
        appendTwoDigits(second % 60, to: &text)
    }

    public static func text(_ seconds: Int64) -> String {
        var text: [UInt8] = []
        append(seconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Divides and rounds down.
    public static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
        value / divisor - (value % divisor < 0 ? 1 : 0)
    }

    /// The days since 1970-01-01. Years begin in March here, so that the leap day is the last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = floor(year, by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = days + 719_468
        let era = floor(days, by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func twoDigits(_ text: ArraySlice<UInt8>, _ index: Int) -> Int64? {
        let tens = text[index] &- UInt8(ascii: "0")
        let ones = text[index + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int64(tens * 10 + ones) : nil
    }

    private static func appendTwoDigits(_ number: Int64, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
