/// A day of the Gregorian calendar, from 1970 to 9999.
public struct CalendarDate: BitwiseCopyable, Equatable, Sendable {
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Nil for a day that does not exist, before 1970, or after 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.dayCount(year, month)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    // The calculation uses 400-year eras that begin on 1 March, so that the leap day is the last day of a
    // year.

    private static let daysPerEra = 146_097
    /// The number of days from 1 March of year 0 to 1 January 1970.
    private static let epoch = 719_468
    private static let last = 2_932_896

    /// The day `days` days after 1970-01-01; later than 9999-12-31 becomes 9999-12-31.
    public init(daysSince1970 days: UInt32) {
        let days = min(Int(days), Self.last)
        let dayOfEra = (days + Self.epoch) % Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + (days + Self.epoch) / Self.daysPerEra * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    }

    public var daysSince1970: UInt32 {
        let marchYear = month > 2 ? year : year - 1
        let yearOfEra = marchYear % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return UInt32(truncatingIfNeeded: marchYear / 400 * Self.daysPerEra + dayOfEra - Self.epoch)
    }

    private static func dayCount(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends the date in ISO 8601 form: `2026-11-21`.
    @inlinable
    public mutating func append(_ date: CalendarDate) throws(CapacityError) {
        try append(decimal: UInt64(truncatingIfNeeded: date.year), digitCount: 4)
        try append("-")
        try append(decimal: UInt64(truncatingIfNeeded: date.month), digitCount: 2)
        try append("-")
        try append(decimal: UInt64(truncatingIfNeeded: date.day), digitCount: 2)
    }
}
