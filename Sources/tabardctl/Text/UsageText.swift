import ArgumentParser
import Foundation

/// An error in a command line as one line, with the command that shows the help.
enum UsageText {
    /// Nil if the error is not one of usage, or was printed already. Of the parser's lines, the first states
    /// the error and the last names the help; the lines between repeat that help.
    static func line(for error: any Error) -> String? {
        guard Tabardctl.exitCode(for: error) == .validationFailure else { return nil }
        let message = Tabardctl.message(for: error).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        guard !message.isEmpty else { return nil }
        let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
        return "tabardctl: \(lowercasingFirst(sentence)); see `\(help(for: error))`"
    }

    /// The parser's last line names the command, such as `See 'tabardctl send --help' for more information.`
    private static func help(for error: any Error) -> String {
        let last = Tabardctl.fullMessage(for: error).split(whereSeparator: \.isNewline).last ?? ""
        let quoted = last.split(separator: "'")
        return quoted.count == 3 ? String(quoted[1]) : "tabardctl --help"
    }

    /// The parser's messages begin with a capital letter, ours with a small one.
    private static func lowercasingFirst(_ text: String) -> String {
        guard let first = text.first, first.isUppercase, text.dropFirst().first?.isLowercase == true else {
            return text
        }
        return first.lowercased() + text.dropFirst()
    }
}
