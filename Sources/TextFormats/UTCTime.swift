import FixedMemory

/// Times as web services write them, in whole seconds since 1970 UTC.
public enum UTCTime {
    /// `2020-05-07T09:15:30Z`
    public static func text(_ unixSeconds: UInt64) -> String { textWithoutZone(unixSeconds) + "Z" }

    /// `2020-05-07T09:15:30`
    public static func textWithoutZone(_ unixSeconds: UInt64) -> String {
        CivilTime.text(Int64(clamping: unixSeconds)).replacing(" ", with: "T")
    }

    /// Nil unless ``text(_:)`` would write the same text.
    public static func seconds(_ text: String) -> UInt64? {
        guard text.hasSuffix("Z") else { return nil }
        return secondsWithoutZone(String(text.dropLast()))
    }

    public static func secondsWithoutZone(_ text: String) -> UInt64? {
        let spaced = text.replacing("T", with: " ")
        guard let seconds = CivilTime.seconds(ArraySlice(Array(spaced.utf8))),
            let seconds = UInt64(exactly: seconds), textWithoutZone(seconds) == text
        else { return nil }
        return seconds
    }
}

extension CalendarDate {
    /// Parses `2020-05-07`; nil for any other text.
    public init?(text: String) {
        guard let seconds = UTCTime.secondsWithoutZone(text + "T00:00:00"),
            let days = UInt32(exactly: seconds / 86_400)
        else { return nil }
        self.init(daysSince1970: days)
    }

    public var text: String { String(UTCTime.text(UInt64(daysSince1970) * 86_400).prefix(10)) }

    /// Nil outside the years 1970 to 9999.
    public func adding(days: Int) -> CalendarDate? {
        guard let number = UInt32(exactly: Int(daysSince1970) + days) else { return nil }
        let date = CalendarDate(daysSince1970: number)
        return date.daysSince1970 == number ? date : nil
    }
}
