import FixedMemory

/// Dates and times of the Gregorian calendar as log files write them, counted in seconds since 1970-01-01
/// 00:00:00 of the clock that wrote them.
public enum CivilTime {
    /// The length of a text such as "2020-12-08 23:20:00".
    public static let textByteCount = 19
    /// The range of four-digit years, 0 to 9999.
    public static let representableSeconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// Parses `yyyy-MM-dd HH:mm:ss`, also with a `T` in the middle, at the beginning of `text`, and ignores
    /// what follows, as Herald's scripts do. Nil for anything else.
    public static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count >= textByteCount else { return nil }
        let start = text.startIndex
        guard text[start + 4] == dash, text[start + 7] == dash,
            text[start + 10] == UInt8(ascii: " ") || text[start + 10] == UInt8(ascii: "T"),
            text[start + 13] == colon, text[start + 16] == colon,
            let century = twoDigits(text, start), let yearOfCentury = twoDigits(text, start + 2),
            let month = twoDigits(text, start + 5), let day = twoDigits(text, start + 8),
            let hour = twoDigits(text, start + 11), let minute = twoDigits(text, start + 14),
            let second = twoDigits(text, start + 17)
        else { return nil }
        let year = century * 100 + yearOfCentury
        guard hour < 24, minute < 60, second < 60, let days = days(year: year, month: month, day: day)
        else { return nil }
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

    // ``CalendarDate`` begins with 1970. The calendar repeats itself every 400 years, so earlier years borrow
    // the days of years 2,000 later.

    private static let borrowedYears: Int64 = 2_000
    private static let borrowedDays: Int64 = 5 * 146_097

    /// Since 1970-01-01; nil for a date that does not exist, such as 31 February.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64? {
        let isEarly = year < 1970
        let date = CalendarDate(
            year: Int(isEarly ? year + borrowedYears : year), month: Int(month), day: Int(day))
        return date.map { Int64($0.daysSince1970) - (isEarly ? borrowedDays : 0) }
    }

    /// - Parameter days: since 1970-01-01, of the years 0 to 9999.
    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let isEarly = days < 0
        let date = CalendarDate(
            daysSince1970: UInt32(truncatingIfNeeded: isEarly ? days + borrowedDays : days))
        let year = Int64(date.year) - (isEarly ? borrowedYears : 0)
        return (year, Int64(date.month), Int64(date.day))
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
