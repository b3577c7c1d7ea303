import Testing

@testable import Dashboard

@Suite struct FieldListTests {
    @Test func fieldsAreDecoded() throws {
        let fields = try FieldList("name=Ada+Byron%20%26&since=&flag&x=%C3%A4")
        #expect(fields["name"] == "Ada Byron &")
        #expect(fields["since"] == "")
        #expect(fields.text("since") == nil)
        #expect(fields["flag"] == "")
        #expect(fields["x"] == "ä")
        #expect(fields["y"] == nil)
        #expect(!fields.isEmpty)
        #expect(try FieldList("a=&b=").isEmpty)
    }

    @Test(arguments: ["a=%", "a=%1", "a=%zz", "a=%ff", "%f=1"])
    func whatIsNoTextIsRefused(text: String) {
        #expect(throws: FieldList.Problem.malformed) { try FieldList(text) }
    }

    @Test func itsSizeIsBounded() {
        #expect(throws: FieldList.Problem.tooLong) {
            try FieldList("a=" + String(repeating: "b", count: FieldList.maximumByteCount))
        }
        #expect(throws: FieldList.Problem.tooMany) { try FieldList(String(repeating: "a=b&", count: 65)) }
    }

    @Test func aQueryKeepsTheOtherFields() throws {
        let fields = try FieldList("name=Ada+%26+co&page=2&since=")
        #expect(fields.query(replacing: "page", with: "3") == "name=Ada%20%26%20co&page=3")
        #expect(try FieldList(fields.query(replacing: "page", with: "3"))["name"] == "Ada & co")
    }
}
