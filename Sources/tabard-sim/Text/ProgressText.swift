import Foundation

/// A line of progress that changes in place; nothing if standard error is not a terminal.
enum ProgressText {
    private static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    static func show(_ text: String) {
        guard isTerminal else { return }
        FileHandle.standardError.write(Data("\r\u{1b}[K\(text)".utf8))
    }

    static func clear() { show("") }
}

/// Numbers formatted for people.
enum Rate {
    static func number(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : "%.0f", value)
    }

    /// An amount per second of real time.
    static func text(_ amount: Double, since start: ContinuousClock.Instant) -> String {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return number(amount / max(0.001, Double(seconds) + Double(attoseconds) * 1e-18))
    }
}
