import ArgumentParser
import Authority
import CommandLineText
import FixedMemory
import Foundation

/// The days that a submission covers.
struct SubmissionDays: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "First day (UTC), such as 2026-11-08; default: the scheme's number of days back.",
            valueName: "date"))
    var from: CalendarDate?

    @Option(
        help: ArgumentHelp("Last day (UTC), included; default: the last possible day.", valueName: "date"))
    var until: CalendarDate?

    func validate() throws {
        if let from, let until, from.daysSince1970 > until.daysSince1970 {
            throw ValidationError("--from is after --until; swap them")
        }
    }

    /// - Parameter count: the number of days up to today, if the options give no first day.
    func days(_ count: UInt32) -> ClosedRange<UInt32> { days(count, until: CalendarDate.today) }

    /// The days up to yesterday. With published keys of a day that is not over, others could pretend to be
    /// the wearer.
    func pastDays(_ count: UInt32) throws(Failure) -> ClosedRange<UInt32> {
        let days = days(count, until: CalendarDate.today - 1)
        guard days.upperBound < CalendarDate.today else {
            throw Failure(
                .usage,
                "the last day is not over, so others could reuse its keys; give --until \(Self.yesterday)"
            )
        }
        return days
    }

    /// Checks that symptoms began today at the latest, in any time zone.
    static func requireBegun(_ symptomsBegan: CalendarDate) throws(Failure) {
        let latest = UInt32(clamping: (Int64(Date().timeIntervalSince1970) + 14 * 3_600) / 86_400)
        guard symptomsBegan.daysSince1970 <= latest else {
            throw Failure(
                .usage, "--symptoms-began \(symptomsBegan.text): that day has not begun; give an earlier day")
        }
    }

    private func days(_ count: UInt32, until last: UInt32) -> ClosedRange<UInt32> {
        let end = until?.daysSince1970 ?? max(last, from?.daysSince1970 ?? last)
        let start = from?.daysSince1970 ?? (end < count ? 0 : end - count + 1)
        return start...max(start, end)
    }

    private static var yesterday: String { CalendarDate(daysSince1970: CalendarDate.today - 1).text }
}

extension ClosedRange<UInt32> {
    /// The time from the first day's beginning to the last day's end.
    var times: Range<WallClockTime> {
        WallClockTime(days: UInt64(lowerBound))..<WallClockTime(days: UInt64(upperBound) + 1)
    }
}
