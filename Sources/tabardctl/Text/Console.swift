import Foundation

/// Output to the console: data on standard output, messages on standard error.
enum Console {
    static func report(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    static func write(_ data: Data) { FileHandle.standardOutput.write(data) }

    static func print(_ text: String) { write(Data((text + "\n").utf8)) }

    /// Whether people watch standard error as it is written.
    static var isInteractive: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }
}
