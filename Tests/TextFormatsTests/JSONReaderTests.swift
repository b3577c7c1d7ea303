import TestSupport
import Testing
import TextFormats

@Suite struct JSONReaderTests {
    private func read(_ text: String) -> JSONValue? { try? JSONReader.read(Array(text.utf8)) }

    @Test func `a byte order mark before the text is skipped`() throws {
        #expect(
            try JSONReader.read([0xef, 0xbb, 0xbf] + Array("[1]".utf8)) == JSONReader.read(Array("[1]".utf8)))
        #expect(throws: JSONError.self) { try JSONReader.read([0xef, 0xbb, 0xbf]) }
    }

    @Test func `values keep their digits and their order`() {
        let value = read(#" { "b" : [ 1.0 , -2e3, true,false , null ] , "a" : "x" } "#)
        #expect(value?.text == #"{"b":[1.0,-2e3,true,false,null],"a":"x"}"#)
        #expect(value?["b"]?.array?[0].integer(Int.self) == nil)
        #expect(read("-0")?.integer(Int.self) == nil)
        #expect(read("-128")?.integer(Int8.self) == -128)
        #expect(read("128")?.integer(Int8.self) == nil)
    }

    @Test func `escapes are read as in RFC 8259`() {
        #expect(read(#""\"\\\/\b\f\n\r\té😀""#)?.string == "\"\\/\u{8}\u{c}\n\r\té😀")
        #expect(read(#""\u00e9\ud83d\uDE00""#)?.string == "é😀")
        for text in [#""\u12""#, #""\ud83d""#, #""\ud83dA""#, #""\udc00""#, #""\x""#, "\"\u{1}\"", "\"a"] {
            #expect(read(text) == nil, "\(text)")
        }
    }

    @Test func `invalid JSON is refused`() {
        for text in [
            "", " ", "01", "1.", ".5", "+1", "1e", "-", "tru", "nul", "[1,]", "[1 2]", "{\"a\"}",
            "{\"a\":1,}",
            "{a:1}", "1 1", "{\"a\":1,\"a\":2}", "[", "{", "]", "NaN", "'a'",
        ] {
            #expect(read(text) == nil, "\(text)")
        }
        #expect((try? JSONReader.read([0x22, 0xff, 0x22])) == nil)
        #expect(read(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)) != nil)
        #expect(read(String(repeating: "[", count: 100_000)) == nil)
    }
}
