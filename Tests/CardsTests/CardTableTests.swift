import Testing

@testable import Cards

@Suite struct CardTableTests {
    @Test(arguments: [
        "venue-number,name\n1234,\"Foyer, left\"\n",
        "\u{feff}Venue_Number;Name\r\n1234;Foyer, left\r\n",
        "venue-number\tname\n1234\tFoyer, left\n",
    ])
    func `tables of any spreadsheet are read`(text: String) throws {
        let table = try CardTable(text: text)
        #expect(table.rows == [.init(number: 1, values: ["venue-number": "1234", "name": "Foyer, left"])])
    }

    @Test func `an empty field is as one that was not given`() throws {
        let table = try CardTable(text: "venue-number,area\n1,Bar\n2,\n")
        #expect(table.rows.map { $0["area"] } == ["Bar", nil])
    }

    @Test(arguments: [
        ("venue,name\n1,a\n", "line 1: no column venue: role, venue-number"),
        ("name,name\n1,a\n", "line 1: the column name stands there twice"),
        ("venue-number,name\n", "line 2: no card"),
    ])
    func `a table with a mistake is refused with its place`(text: String, message: String) {
        let error = #expect(throws: CardError.self) { try CardTable(text: text) }
        #expect(error?.message.hasPrefix(message) ?? false)
    }
}
