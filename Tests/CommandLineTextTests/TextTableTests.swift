import CommandLineText
import Testing

@Suite struct TextTableTests {
    private let start = "2026-11-21 14:03:12"

    private func encounters(who: String = "Anna 3Fk2aQ", board: String = "Foyer") -> TextTable {
        var table = TextTable([
            .init(title: "START"), .init(title: "WHO", narrowing: .wrapped(minimum: 12)),
            .init(title: "READINGS", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "MEAN", isNumber: true, narrowing: .dropped(rank: 2)),
            .init(title: "REMARK", narrowing: .cut(minimum: 8)),
        ])
        table.append([start, who, "1234", "-70.1", "written and time unchecked"])
        return table
    }

    private func widest(_ table: FittedTable) -> Int {
        table.text.split(separator: "\n").map(\.count).max() ?? 0
    }

    @Test func `without a width the table is as wide as its cells`() {
        #expect(
            encounters().text() == """
                START                WHO          READINGS   MEAN  REMARK
                2026-11-21 14:03:12  Anna 3Fk2aQ      1234  -70.1  written and time unchecked
                """)
    }

    @Test func `a width that suffices changes nothing`() {
        let table = encounters()
        #expect(table.fitted(to: 78).text == table.text())
        #expect(table.fitted(to: 78).note("--json") == nil)
    }

    @Test(arguments: 31...77) func `no line is wider than the terminal`(width: Int) {
        #expect(widest(encounters().fitted(to: width)) <= width)
    }

    @Test func `the least important column is left out first`() {
        #expect(encounters().fitted(to: 54).leftOut == ["READINGS"])
        #expect(encounters().fitted(to: 44).leftOut == ["READINGS", "MEAN"])
    }

    @Test func `a text is cut before a column is left out, if enough of it stays`() {
        let fitted = encounters().fitted(to: 70)
        #expect(fitted.leftOut.isEmpty)
        #expect(fitted.cut == ["REMARK"])
        #expect(fitted.text.hasSuffix("written and time u…"))
    }

    @Test(arguments: 31...77) func `times are never cut`(width: Int) {
        #expect(encounters().fitted(to: width).text.contains(start))
    }

    @Test func `a wrapped text continues under its column`() {
        var table = TextTable([.init(title: "BOOT"), .init(title: "WHY", narrowing: .wrapped(minimum: 4))])
        table.append(["1a2b3c", "no one had set the clock"])
        #expect(
            table.fitted(to: 20).text == """
                BOOT    WHY
                1a2b3c  no one had
                        set the
                        clock
                """)
    }

    @Test func `a column of zeros that is optional is not shown on a terminal`() {
        var table = TextTable([
            .init(title: "STATE"), .init(title: "DROPPED", isNumber: true, isOptional: true),
            .init(title: "EVICTED", isNumber: true, isOptional: true),
        ])
        table.append(["covered", "0", "2"])
        table.append(["blind", "", ""])
        let fitted = table.fitted(to: 80)
        #expect(!fitted.text.contains("DROPPED"))
        #expect(fitted.note("--json") == "column DROPPED is left out because all is 0")
    }

    @Test func `a column of zeros goes before others of lower rank`() {
        var table = TextTable([
            .init(title: "BOARD"), .init(title: "USED", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "REJECTED", isNumber: true, narrowing: .dropped(rank: 2)),
        ])
        table.append(["Foyer", "3", "0"])
        #expect(table.fitted(to: 12).leftOut == ["REJECTED"])
    }

    @Test func `long columns stand below their row where the table is too wide`() {
        var table = TextTable([
            .init(title: "PORT"), .init(title: "STATE", narrowing: .below), .init(title: "CLOCK"),
        ])
        table.append(["/dev/ttyACM0", "2 near now, 17 encounters since boot", "right"])
        #expect(
            table.fitted(to: 30).text == """
                PORT          CLOCK
                /dev/ttyACM0  right
                  STATE  2 near now, 17
                         encounters since boot
                """)
    }

    @Test func `the note says what is left out and what helps`() {
        #expect(
            encounters().fitted(to: 40).note("a wider terminal, --csv or --json")
                == "columns READINGS, MEAN are left out at this width; column REMARK is cut at this width; "
                + "use a wider terminal, --csv or --json")
    }
}

@Suite struct WrappedTextTests {
    @Test func `text breaks at spaces, with an indent behind the first line`() {
        #expect(
            WrappedText.lines("  gap: one two three four", width: 16, indent: 4)
                == ["  gap: one two", "    three four"])
    }

    @Test func `a word that is longer than a line is broken`() {
        #expect(WrappedText.lines("0123456789", width: 4) == ["0123", "4567", "89"])
    }

    @Test func `spaces within a line stay, and those at its break go`() {
        #expect(WrappedText.lines("boot    at 7   end", width: 12) == ["boot    at 7", "end"])
    }

    @Test(arguments: 1...30) func `no line is wider than asked for`(width: Int) {
        let text = "  damage: segment 12, byte 4096: the page is damaged, 0123456789abcdef0123456789abcdef"
        #expect(WrappedText.lines(text, width: width, indent: 6).allSatisfy { $0.count <= width })
    }
}
