import CommandLineText
import FixedMemory
import Reports

/// The duration that an option gives.
enum DurationArgument {
    /// - Parameter option: the name of the option.
    static func duration(_ text: String?, _ option: String) throws(Failure) -> Interval? {
        guard let text else { return nil }
        guard let span = TimeArgument.span(text) else {
            throw Failure(.usage, "\(option) \(text): not a duration; write 90s, 10min or 2h")
        }
        return span
    }
}
