import CommandLineText
import FixedMemory
import Foundation
import Reports

/// A minimum age: "14d", or a time such as "2026-11-21".
enum AgeArgument {
    /// The time before which everything is old enough.
    static func time(_ text: String) throws(Failure) -> WallClockTime {
        let now = WallClockTime.now
        guard let time = TimeArgument.time(text, now: now), time <= now else {
            throw Failure(
                .usage,
                "--older-than \(text): not an age or a past day; write 14d or 2026-11-21")
        }
        return time
    }
}
