/// Text from outside in one line, such as a board's name.
public enum OneLineText {
    /// The text with a question mark in place of each character that does not simply show: control
    /// characters, line ends, and those that reorder or hide others.
    public static func text(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isShown($0) ? $0 : "?" }))
    }

    /// Whether each character simply shows.
    public static func isPlain(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isShown) }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            false
        default: true
        }
    }
}
