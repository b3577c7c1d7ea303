import FixedMemory
import Foundation

/// Formats times and durations: for people in one named time zone, for programs in UTC.
///
/// Clocks go forward and back, so the offset of a zone changes. The name of the zone has the offset of a
/// reference time. A time with another offset has it written behind it.
public struct TimeText: Sendable {
    public let zone: LocalZone
    private let reference: WallClockTime
    /// Computes dates from local times as if they were of UTC.
    private let calendar: Calendar

    public init(zone: LocalZone = .current, reference: WallClockTime = .now) {
        self.zone = zone
        self.reference = reference
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.locale = Locale(identifier: "en_US_POSIX")
        self.calendar = calendar
    }

    public init(timeZone: TimeZone, reference: WallClockTime = .now) {
        self.init(zone: LocalZone(timeZone), reference: reference)
    }

    /// The same zone with another reference time.
    public func referring(to reference: WallClockTime) -> TimeText {
        TimeText(zone: zone, reference: reference)
    }

    /// "UTC" or "Europe/London (UTC+01:00)"; the offset is that of the reference time.
    public var zoneName: String { zone.text(at: reference) }

    /// "2026-11-21 14:03:12", or "2026-07-21 14:03:12 +01:00" where the offset is not the reference's.
    public func dateAndTime(_ time: WallClockTime) -> String {
        "\(date(time)) \(self.time(time))\(otherOffset(time))"
    }

    /// "2026-11-21 14:03:12 Europe/London (UTC+00:00)", for a time that stands alone.
    public func dateTimeAndZone(_ time: WallClockTime) -> String {
        "\(date(time)) \(self.time(time)) \(zone.text(at: time))"
    }

    /// " +01:00" where the offset is not that of the reference time, and otherwise nothing.
    func otherOffset(_ time: WallClockTime) -> String {
        let isSame = zone.secondsFromUTC(at: time) == zone.secondsFromUTC(at: reference)
        return isSame ? "" : " " + zone.offsetText(at: time)
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

    /// "2026-11-21 14:03", or "2026-07-21 14:03 +01:00" where the offset is not the reference's.
    public func dateHourAndMinute(_ time: WallClockTime) -> String {
        "\(date(time)) \(hourAndMinute(time))\(otherOffset(time))"
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

    /// The start of the day that is `days` after the day of `time`. Days may have 23 or 25 hours.
    public func startOfDay(_ time: WallClockTime, adding days: Int = 0) -> WallClockTime {
        let local = Int64(clamping: time.seconds) + zone.secondsFromUTC(at: time)
        let midnight = local - local.modulo(86_400) + Int64(days) * 86_400
        // In some zones clocks go forward at midnight, so the day begins an hour later.
        let start = zone.seconds(ofLocal: midnight).first ?? zone.seconds(ofLocal: midnight + 3_600).first
        return WallClockTime(clamping: (start ?? midnight) * 1_000)
    }

    /// "2026-11-21T13:03:12.000Z": RFC 3339 with milliseconds.
    public static func utc(_ time: WallClockTime) -> String {
        guard time < firstYearOfFiveDigits else {
            let text = TimeText(zone: .utc, reference: time)
            let fraction = String(1000 + time.milliseconds % 1000).dropFirst()
            return "\(text.date(time))T\(text.time(time)).\(fraction)Z"
        }
        // Lists have several times in each of very many rows. A calendar would take longer than all else, and
        // a text that is put together of parts makes a list in CSV 8 % slower.
        let (days, second) = time.seconds.quotientAndRemainder(dividingBy: 86_400)
        let date = CalendarDate(daysSince1970: UInt32(days))
        let parts =
            [
                (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (Int(second / 3600), 2, ":"),
                (Int(second % 3600 / 60), 2, ":"), (Int(second % 60), 2, "."),
                (Int(time.milliseconds % 1000), 3, "Z"),
            ] as [(number: Int, digitCount: Int, mark: Unicode.Scalar)]
        return String(unsafeUninitializedCapacity: 24) { text in
            var place = 0
            for part in parts {
                var rest = part.number
                for digit in (place..<place + part.digitCount).reversed() {
                    text[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                place += part.digitCount
                text[place] = UInt8(ascii: part.mark)
                place += 1
            }
            return place
        }
    }

    /// 10000-01-01T00:00:00Z
    private static let firstYearOfFiveDigits = WallClockTime(milliseconds: 253_402_300_800_000)

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
        // Whole seconds, rounded down, so that a time shows the second in which it falls.
        let local = Int64(clamping: time.seconds) + zone.secondsFromUTC(at: time)
        return calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: TimeInterval(local)))
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension WallClockTime {
    /// This computer's clock.
    public static var now: WallClockTime { WallClockTime(Date()) }

    /// Clamps a date before 1970 to 1970.
    public init(_ date: Date) { self.init(clamping: Int64((date.timeIntervalSince1970 * 1000).rounded())) }
}

extension Int64 {
    /// The remainder that is never negative.
    fileprivate func modulo(_ divisor: Int64) -> Int64 { ((self % divisor) + divisor) % divisor }
}

extension Interval {
    public var fractionalSeconds: Double { Double(milliseconds) / 1000 }
}
