import CommandLineText
import Testing

/// A board that chooses its texts so that the operator reads something else.
@Suite struct TextOnATerminalTests {
    @Test(arguments: [
        ("\u{1b}[2Jall is well", "?[2Jall is well"), ("a\u{202e}b\u{2066}c", "a?b?c"),
        ("zero\u{200b}width", "zero?width"), ("line\u{2028}break", "line?break"), ("\rover", "?over"),
    ])
    func `a board's text can neither move the cursor nor reorder, hide or break a line`(
        text: String, displayed: String
    ) {
        #expect(PlainText.displayable(text) == displayed)
    }

    @Test func `text in any script, and line feeds, stay as they are`() {
        let text = "Café, Ελλάδα, 東京\nשלום"
        #expect(PlainText.displayable(text) == text)
    }
}
