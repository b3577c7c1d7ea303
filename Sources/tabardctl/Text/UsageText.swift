import ArgumentParser
import Foundation

/// What is wrong with a command line, in one line, and where it stands how to write it.
enum UsageText {
    /// Nil for what is no error of usage, or has been told already. Of the parser's several lines, the first says what is
    /// wrong and the last names the help; those between repeat that help.
    static func line(for error: any Error) -> String? {
        guard Tabardctl.exitCode(for: error) == .validationFailure else { return nil }
        let message = Tabardctl.message(for: error).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        guard !message.isEmpty else { return nil }
        return "tabardctl: \(lowercasingFirst(message)); see `\(help(for: error))`"
    }

    /// The parser names the command that it was about in its last line: `See 'tabardctl send --help' for more information.`
    private static func help(for error: any Error) -> String {
        let last = Tabardctl.fullMessage(for: error).split(whereSeparator: \.isNewline).last ?? ""
        let quoted = last.split(separator: "'")
        return quoted.count == 3 ? String(quoted[1]) : "tabardctl --help"
    }

    /// The parser begins its messages with a capital letter, we do not.
    private static func lowercasingFirst(_ text: String) -> String {
        guard let first = text.first, first.isUppercase, text.dropFirst().first?.isLowercase == true else {
            return text
        }
        return first.lowercased() + text.dropFirst()
    }
}
