import FixedMemory

/// Points in time as ISO 8601 text, as used by the date-time command of the OS group.
public enum DateTimeText {
    /// Parses `2026-11-21T10:00:00`. A space may replace the T, and 1 to 9 decimals of a second may follow.
    /// The end is nothing (UTC), `Z`, or an offset such as `+01:00` or `+0100`. Digits beyond the
    /// millisecond are truncated.
    ///
    /// - Returns: nil for other text, dates that do not exist, leap seconds, and times before 1970.
    public static func time(_ text: Span<UInt8>) -> WallClockTime? {
        var digits = DigitReader(text)
        guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2), digits.skip("-"),
            let day = digits.number(2), digits.skip("T") || digits.skip("t") || digits.skip(" "),
            let hour = digits.number(2), digits.skip(":"), let minute = digits.number(2), digits.skip(":"),
            let second = digits.number(2)
        else { return nil }
        guard let date = CalendarDate(year: year, month: month, day: day), hour < 24, minute < 60,
            second < 60, let fraction = digits.fraction(), let offset = digits.offsetFromUTC(), digits.isAtEnd
        else { return nil }
        let days = Int64(date.daysSince1970)
        let seconds = ((days * 24 + Int64(hour)) * 60 + Int64(minute) - Int64(offset)) * 60 + Int64(second)
        guard seconds >= 0 else { return nil }
        return WallClockTime(
            milliseconds: UInt64(truncatingIfNeeded: seconds) * 1000 + UInt64(truncatingIfNeeded: fraction))
    }

    /// Writes `2026-11-21T10:00:00.123000` in UTC, as Zephyr's server does. The year is at most 9999.
    @inline(never)
    public static func write(
        _ time: WallClockTime, into sink: inout some ByteSink & ~Copyable
    ) throws(CapacityError) {
        // The limit is 9999-12-31T23:59:59.999.
        let bounded = min(time.milliseconds, 253_402_300_799_999)
        let ofDay = Int(truncatingIfNeeded: bounded % 86_400_000)
        try sink.append(CalendarDate(daysSince1970: UInt32(truncatingIfNeeded: bounded / 86_400_000)))
        try sink.append("T")
        try sink.append(decimal: UInt64(truncatingIfNeeded: ofDay / 3_600_000), digitCount: 2)
        try sink.append(":")
        try sink.append(decimal: UInt64(truncatingIfNeeded: ofDay / 60_000 % 60), digitCount: 2)
        try sink.append(":")
        try sink.append(decimal: UInt64(truncatingIfNeeded: ofDay / 1000 % 60), digitCount: 2)
        try sink.append(".")
        try sink.append(decimal: UInt64(truncatingIfNeeded: ofDay % 1000), digitCount: 3)
        try sink.append("000")
    }
}

/// Reads the parts of a date and time from front to back.
private struct DigitReader: ~Escapable {
    let text: Span<UInt8>
    var offset = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { offset == text.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard offset < text.count, UInt32(text[offset]) == character.value else { return false }
        offset += 1
        return true
    }

    mutating func digit() -> Int? {
        guard offset < text.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = text[offset] else {
            return nil
        }
        defer { offset += 1 }
        return Int(text[offset] - UInt8(ascii: "0"))
    }

    mutating func number(_ digitCount: Int) -> Int? {
        var value = 0
        for _ in 0..<digitCount {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads the milliseconds after a point or comma; 0 if there is neither.
    mutating func fraction() -> Int? {
        guard skip(".") || skip(",") else { return 0 }
        var value = 0
        var count = 0
        while let digit = digit() {
            count += 1
            if count <= 3 { value = value * 10 + digit }
        }
        guard (1...9).contains(count) else { return nil }
        for _ in min(count, 3)..<3 { value *= 10 }
        return value
    }

    /// Reads the offset of local time from UTC in minutes, positive if ahead; 0 if the text gives none.
    mutating func offsetFromUTC() -> Int? {
        if isAtEnd || skip("Z") || skip("z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(2) else { return nil }
        _ = skip(":")
        guard let minutes = isAtEnd ? 0 : number(2), hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 1 : -1)
    }
}
