import CommandLineText
import Foundation

/// Output to the console: data on standard output, messages on standard error.
enum Console {
    /// Takes messages in place of standard error, for what is done on behalf of somebody who sees neither.
    @TaskLocal static var listener: MessageListener?

    /// Writes a message for people. One that cannot be written is lost, because there is nobody to tell.
    /// Names and texts come from files and boards, so no character of them may control the terminal.
    static func report(_ text: String) {
        if let listener { return listener.take(PlainText.displayable(text)) }
        rewrite(PlainText.displayable(text) + "\n")
    }

    /// Reports a remark below a list, in lines of the terminal's width.
    static func note(_ text: String) {
        let width = listener == nil && isatty(STDERR_FILENO) == 1 ? columnCount : nil
        WrappedText.lines(text, width: width).forEach(report)
    }

    /// Shows a line on a terminal until the next output takes its place.
    static func showNote(_ text: String) {
        guard listener == nil, isInteractive, endsLine else { return }
        rewrite("\r\u{1b}[K" + PlainText.displayable(String(text.prefix(columnCount - 1))))
        hasNote = true
    }

    /// True while standard error ends with a note. The commands that show notes have one thread.
    nonisolated(unsafe) private static var hasNote = false

    /// False while a terminal on standard output has a line without its end, which a note would erase.
    nonisolated(unsafe) private static var endsLine = true

    /// Erases the note.
    static func endNote() {
        guard hasNote else { return }
        hasNote = false
        rewrite("\r\u{1b}[K")
    }

    /// Writes to standard error as it is, with control characters.
    static func rewrite(_ text: String) {
        endNote()
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Writes the command's result. If that is impossible, the program ends: silently if the reader has gone,
    /// as in `tabardctl encounters | head`, and otherwise with the reason and the exit code for it.
    static func write(_ data: Data) {
        endNote()
        if let last = data.last { endsLine = last == UInt8(ascii: "\n") || width == nil }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            let code = errno
            if code == EINTR { continue }
            if code == EAGAIN {
                var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
                continue
            }
            if code == EPIPE { exit(0) }
            report("tabardctl: standard output: \(String(cString: strerror(code)))")
            exit(Failure.Code.inputOutput.rawValue)
        }
    }

    /// Writes text for people, as ``report(_:)`` does, on standard output.
    static func print(_ text: String) { write(Data((PlainText.displayable(text) + "\n").utf8)) }

    /// The width of the terminal on standard output; nil if it is a pipe or a file.
    static var width: Int? { isatty(STDOUT_FILENO) == 1 ? columnCount(of: STDOUT_FILENO) : nil }

    /// The width of the terminal on standard error.
    static var columnCount: Int { columnCount(of: STDERR_FILENO) }

    private static func columnCount(of terminal: Int32) -> Int {
        var size = winsize()
        if ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        let given = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        return given.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// Whether people watch standard error as it is written.
    static var isInteractive: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }
}
