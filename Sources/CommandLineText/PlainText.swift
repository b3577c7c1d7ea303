/// Text from outside, for a terminal.
public enum PlainText {
    /// The text with a question mark in place of each character that a terminal does not simply show: control
    /// characters, and those that reorder, hide or break a line. Line feeds stay.
    public static func displayable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isDisplayable($0) ? $0 : "?" }))
    }

    private static func isDisplayable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n"
        case .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
