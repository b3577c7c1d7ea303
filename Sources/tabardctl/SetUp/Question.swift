import CommandLineText
import Foundation

/// Questions to a person at a terminal.
enum Question {
    /// Whether a person can answer.
    static var canAsk: Bool { isatty(STDIN_FILENO) == 1 }

    /// Waits until the person has done something.
    /// - Returns: false if the person would rather stop.
    static func goesOn(_ request: String) -> Bool {
        Console.rewrite(PlainText.displayable("\(request), then press Enter (q stops): "))
        guard let line = readLine() else { return false }
        return line.trimmingCharacters(in: .whitespaces).lowercased() != "q"
    }

    /// Asks until `check` accepts the answer. An empty answer is the standard one, if there is one.
    ///
    /// - Parameter check: Returns the value, or throws a failure whose message is shown before the question
    ///   is repeated.
    static func ask<Answer>(
        _ question: String, standard: String? = nil, check: (String) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        while true {
            let hint = standard.map { $0.isEmpty ? " [none]" : " [\($0)]" } ?? ""
            Console.rewrite(PlainText.displayable("\(question)\(hint): "))
            guard let line = readLine() else {
                Console.report("")
                throw Failure(.tryAgain, "the input ended; nothing was changed")
            }
            let text = line.trimmingCharacters(in: .whitespaces)
            let answer = text.isEmpty ? standard : text
            guard let answer else {
                Console.report("an answer is needed here")
                continue
            }
            do throws(Failure) { return try check(answer) } catch { Console.report(error.message) }
        }
    }
}
