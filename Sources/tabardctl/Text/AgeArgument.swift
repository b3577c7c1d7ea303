import CommandLineText
import Foundation
import Reports

/// A minimum age: "14d", or a time such as "2026-11-21".
enum AgeArgument {
    /// The time before which everything is old enough, in milliseconds since 1970 UTC.
    static func milliseconds(_ text: String) throws(Failure) -> Int64 {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        guard let time = TimeArgument.milliseconds(text, nowMilliseconds: now), time <= now else {
            throw Failure(
                .usage,
                "--older-than \(text): not an age or a past day; write 14d or 2026-11-21")
        }
        return time
    }
}
