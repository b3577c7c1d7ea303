import Testing

@testable import TextFormats

@Suite struct HTTPRequestTests {
    private let text =
        "POST /notify HTTP/1.1\r\nHost: authority.example\r\nX: a: b\r\nContent-Length: 5\r\n\r\n\r\n\r\n!"

    @Test func `a request has the wire format, and reads back`() throws {
        let request = HTTPRequest(
            method: "POST", path: "/notify",
            fields: [.init("Host", "authority.example"), .init("X", "a: b")],
            body: Array("\r\n\r\n!".utf8))
        #expect(String(decoding: request.encoded, as: UTF8.self) == text)
        let read = try #require(HTTPRequest(parsing: Array(text.utf8)))
        #expect(read == request)
        #expect(read["HOST"] == "authority.example")
        #expect(read["Accept"] == nil)
    }

    @Test func `a truncated, overlong or contradictory request is not read`() {
        for count in 0..<text.utf8.count {
            #expect(HTTPRequest(parsing: Array(text.utf8.prefix(count))) == nil)
        }
        for changed in [
            text + "!", text.replacing("HTTP/1.1", with: "HTTP/1.0"), text.replacing("POST ", with: "POST  "),
            text.replacing("Host:", with: "Host"), text.replacing("Host: ", with: ": "),
            text.replacing("X: a", with: "Transfer-Encoding: chunked"),
            text.replacing("th: 5", with: "th: 05"),
            text.replacing("X: a", with: "Content-Length: 5"),
        ] {
            #expect(changed != text)
            #expect(HTTPRequest(parsing: Array(changed.utf8)) == nil, "\(changed)")
        }
    }
}
