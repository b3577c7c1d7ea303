import Archive
import CommandLineText
import LogContents
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

    @Test(arguments: ["Foyer\nForged: sound", "Foyer\u{1b}[2J", "Foyer\u{202e}", "Foyer\u{2028}"])
    func `a board's name is one line in every list`(name: String) throws {
        let board = try #require(LogIdentity([UInt8](repeating: 7, count: LogIdentity.byteCount)))
        let archive = try Archive(inMemoryNamed: "names")
        try archive.register(board, blockByteCount: 4_096, name: name)
        let label = try #require(try archive.boards().first).label
        #expect(label.hasPrefix("Foyer?"))
        #expect(OneLineText.isPlain(label))
        #expect(try archive.label(of: board) == label)
    }

    @Test func `text in any script, and line feeds, stay as they are`() {
        let text = "Café, Ελλάδα, 東京\nשלום"
        #expect(PlainText.displayable(text) == text)
    }
}
