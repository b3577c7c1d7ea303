import FixedMemory
import Foundation

/// Parses points in time and durations as people type them.
public enum TimeArgument {
    /// The time of "2026-11-21", "2026-11-21 09:30", "2026-11-21T09:30:05Z" or
    /// "2026-11-21T09:30+01:00". A duration such as "90s", "30min", "2h" or "7d" counts back from now.
    /// Without a zone the time is local.
    public static func time(
        _ text: String, now: WallClockTime, zone: LocalZone = .current
    ) -> WallClockTime? {
        reading(text, now: now, zone: zone).time
    }

    /// The meaning of a text.
    public enum Reading: Equatable, Sendable {
        case exact(WallClockTime)
        /// Clocks go back then and show this time twice: the first of the two, and its offset from UTC.
        case twice(WallClockTime, offset: String)
        /// Clocks go forward then, and never show this time.
        case never
        case unreadable

        public var time: WallClockTime? {
            switch self {
            case .exact(let time), .twice(let time, _): time
            case .never, .unreadable: nil
            }
        }
    }

    public static func reading(_ text: String, now: WallClockTime, zone: LocalZone = .current) -> Reading {
        if let ago = span(text), text.last?.isLetter == true {
            return .exact(
                WallClockTime(milliseconds: now.milliseconds - min(now.milliseconds, ago.milliseconds)))
        }
        let pattern =
            #/(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?(Z|[+-]\d{2}:\d{2})?/#
        guard let match = text.wholeMatch(of: pattern)?.output else { return .unreadable }
        var parts = DateComponents()
        parts.year = Int(match.1)
        parts.month = Int(match.2)
        parts.day = Int(match.3)
        parts.hour = match.4.flatMap { Int($0) } ?? 0
        parts.minute = match.5.flatMap { Int($0) } ?? 0
        parts.second = match.6.flatMap { Int($0) } ?? 0
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        guard parts.isPossible, let date = calendar.date(from: parts) else { return .unreadable }
        // A calendar rolls 31 February over into March; such a date is a typing error.
        guard calendar.component(.day, from: date) == parts.day else { return .unreadable }
        let fraction = match.7.flatMap { Int64(($0 + "00").prefix(3)) } ?? 0
        var zone = zone
        if let offset = match.8 {
            guard let given = Self.zone(offset) else { return .unreadable }
            zone = LocalZone(given)
        }
        let found = zone.seconds(ofLocal: Int64(date.timeIntervalSince1970))
            .map { WallClockTime(clamping: $0 * 1000 + fraction) }
        guard let first = found.first else { return .never }
        return found.count == 1 ? .exact(first) : .twice(first, offset: zone.offsetText(at: first))
    }

    /// "90", "90s", "10min" or "10m", "2h", "7d".
    public static func span(_ text: String) -> Interval? {
        guard let match = text.wholeMatch(of: #/(\d{1,9})\s*(s|m|min|h|d)?/#)?.output,
            let count = UInt64(match.1)
        else { return nil }
        switch match.2 {
        case "m", "min": return .minutes(count)
        case "h": return .hours(count)
        case "d": return .days(count)
        default: return .seconds(count)
        }
    }

    /// Nil for an offset that no zone has.
    private static func zone(_ text: Substring) -> TimeZone? {
        guard text != "Z" else { return .gmt }
        let digits = text.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard digits.count == 2, digits[0] <= 18, digits[1] < 60 else { return nil }
        let seconds = (digits[0] * 60 + digits[1]) * 60
        return TimeZone(secondsFromGMT: text.first == "-" ? -seconds : seconds)
    }
}

extension DateComponents {
    fileprivate var isPossible: Bool {
        (1...12).contains(month ?? 0) && (1...31).contains(day ?? 0) && (hour ?? 0) < 24 && (minute ?? 0) < 60
            && (second ?? 0) < 61
    }
}
