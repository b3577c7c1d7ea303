import FixedMemory
import Foundation

/// Formats times and durations: for people in one named time zone, for programs in UTC.
public struct TimeText: Sendable {
    public let timeZone: TimeZone
    private let calendar: Calendar

    public init(timeZone: TimeZone = .current) {
        self.timeZone = timeZone
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.locale = Locale(identifier: "en_US_POSIX")
        self.calendar = calendar
    }

    /// "UTC" or "Europe/London (UTC+01:00)"; the offset is that of the given time.
    public func zoneName(at time: WallClockTime) -> String {
        let seconds = timeZone.secondsFromGMT(for: Self.date(time))
        if seconds == 0, ["UTC", "GMT", "Etc/UTC"].contains(timeZone.identifier) { return "UTC" }
        let sign = seconds < 0 ? "-" : "+"
        let minutes = abs(seconds) / 60
        let offset = "UTC\(sign)\(Self.twoDigits(minutes / 60)):\(Self.twoDigits(minutes % 60))"
        return timeZone.identifier.hasPrefix("GMT") ? offset : "\(timeZone.identifier) (\(offset))"
    }

    /// "2026-11-21 14:03:12"
    public func dateAndTime(_ time: WallClockTime) -> String {
        "\(date(time)) \(self.time(time))"
    }

    /// "2026-11-21"
    public func date(_ time: WallClockTime) -> String {
        let parts = components(time)
        return "\(parts.year ?? 0)-\(Self.twoDigits(parts.month ?? 0))-\(Self.twoDigits(parts.day ?? 0))"
    }

    /// "14:03:12"
    public func time(_ time: WallClockTime) -> String {
        hourAndMinute(time) + ":" + Self.twoDigits(components(time).second ?? 0)
    }

    /// "14:03"
    public func hourAndMinute(_ time: WallClockTime) -> String {
        let parts = components(time)
        return Self.twoDigits(parts.hour ?? 0) + ":" + Self.twoDigits(parts.minute ?? 0)
    }

    /// "21 November 2026"
    public func longDate(_ time: WallClockTime) -> String {
        let parts = components(time)
        return "\(parts.day ?? 0) \(calendar.monthSymbols[(parts.month ?? 1) - 1]) \(parts.year ?? 0)"
    }

    /// "21 Nov"
    public func shortDate(_ time: WallClockTime) -> String {
        let parts = components(time)
        return "\(parts.day ?? 0) \(calendar.shortMonthSymbols[(parts.month ?? 1) - 1])"
    }

    public func startOfDay(_ time: WallClockTime) -> WallClockTime {
        WallClockTime(calendar.startOfDay(for: Self.date(time)))
    }

    /// The start of the day that is `days` after the day of `time`. Days may have 23 or 25 hours.
    func startOfDay(_ time: WallClockTime, adding days: Int) -> WallClockTime {
        let start = calendar.startOfDay(for: Self.date(time))
        return calendar.date(byAdding: .day, value: days, to: start).map { WallClockTime($0) }
            ?? startOfDay(time) + .days(UInt64(max(0, days)))
    }

    /// "2026-11-21T13:03:12.000Z": RFC 3339 with milliseconds.
    public static func utc(_ time: WallClockTime) -> String {
        let text = TimeText(timeZone: .gmt)
        let fraction = String(1000 + time.milliseconds % 1000).dropFirst()
        return "\(text.date(time))T\(text.time(time)).\(fraction)Z"
    }

    /// A duration in at most two units: "4 s", "12 min 5 s", "3 h 20 min", "2 d 4 h".
    public static func duration(_ interval: Interval) -> String {
        let seconds = (interval + .milliseconds(500)).seconds
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return pair(seconds / 60, "min", seconds % 60, "s")
        case ..<86_400: return pair(seconds / 3600, "h", seconds % 3600 / 60, "min")
        default: return pair(seconds / 86_400, "d", seconds % 86_400 / 3600, "h")
        }
    }

    /// A boot's identifier: 16 hexadecimal digits.
    public static func boot(_ identifier: UInt64) -> String {
        let digits = String(identifier, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The time since the kernel's start: "+00:12:05".
    public static func relative(_ instant: Instant) -> String { relative(instant.milliseconds, sign: "+") }

    static func relative(_ milliseconds: UInt64, sign: String) -> String {
        let seconds = milliseconds / 1000
        return sign + twoDigits(Int(seconds / 3600)) + ":" + twoDigits(Int(seconds / 60 % 60)) + ":"
            + twoDigits(Int(seconds % 60))
    }

    private static func pair(_ large: UInt64, _ unit: String, _ small: UInt64, _ smallUnit: String) -> String
    {
        small == 0 ? "\(large) \(unit)" : "\(large) \(unit) \(small) \(smallUnit)"
    }

    private func components(_ time: WallClockTime) -> DateComponents {
        calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: Self.date(time))
    }

    /// Rounds down to whole seconds, so that a time shows the second in which it falls.
    private static func date(_ time: WallClockTime) -> Date {
        Date(timeIntervalSince1970: TimeInterval(time.seconds))
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension WallClockTime {
    /// This computer's clock.
    public static var now: WallClockTime { WallClockTime(Date()) }

    /// Clamps a date before 1970 to 1970.
    public init(_ date: Date) { self.init(clamping: Int64((date.timeIntervalSince1970 * 1000).rounded())) }
}

extension Interval {
    var fractionalSeconds: Double { Double(milliseconds) / 1000 }
}
