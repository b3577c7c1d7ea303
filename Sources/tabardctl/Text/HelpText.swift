/// The help of a command.
enum HelpText {
    private static let columnCount = 80
    private static let end = "' for detailed help."

    /// The help with its last line broken, which names the command that shows more. The parser breaks all
    /// other lines.
    static func broken(_ text: String) -> String {
        guard text.hasSuffix(end), let last = text.split(separator: "\n").last, last.count > columnCount
        else {
            return text
        }
        return text.dropLast(end.count) + "'\n      for detailed help."
    }
}
