/// An error for the user, with an exit code of sysexits.h.
///
/// The message is one line: what happened, where, and what to do.
public struct Failure: Error {
    public enum Code: Int32, Sendable {
        case usage = 64
        case data = 65
        case noInput = 66
        case unavailable = 69
        case software = 70
        case system = 71
        case systemFile = 72
        case cannotCreate = 73
        case inputOutput = 74
        case tryAgain = 75
        /// Nothing contradicts the data, and nothing proves it.
        case unproven = 76
        case noPermission = 77
    }

    public let code: Code
    public let message: String

    /// - Parameter message: may quote what a user wrote; line ends in it must not look like further messages.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
