import FixedMemory
import LogContents
import Reports
import TextFormats

/// Times in exports: always UTC.
enum ExportTime {
    /// From 2000 to 2099. Other times are those of clocks that were never set, or of logs made to do harm.
    static let range: Range<Int64> = 946_684_800_000..<4_102_444_800_000

    /// RFC 3339 with milliseconds.
    static func text(_ milliseconds: Int64) -> String {
        TimeText.utc(WallClockTime(clamping: milliseconds))
    }

    /// Seconds with milliseconds, such as "12.5".
    static func seconds(_ milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
        let digits = String(1000 + rest).dropFirst()
        return (milliseconds < 0 ? "-" : "") + "\(seconds).\(digits)"
    }

    /// The number of the day since 1970 UTC.
    static func day(_ milliseconds: Int64) -> Int64 { CivilTime.floor(milliseconds, by: 86_400_000) }
}
