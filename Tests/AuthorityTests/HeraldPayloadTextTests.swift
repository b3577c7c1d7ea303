import Foundation
import TestSupport
import Testing
import TextFormats

@testable import Authority

@Suite struct HeraldPayloadTextTests {
    private static let venue = [UInt8](hex: "303a03040040e20100")

    @Test(arguments: [
        "tabard:herald/1/MDoDBABA4gEA", " tabard:herald/1/MDoDBABA4gEA\n", "303a03040040e20100",
        "303A03040040E20100", "MDoDBABA4gEA",
    ])
    func `a payload is read from a QR code's text, hexadecimal and base64`(text: String) throws {
        #expect(try HeraldPayloadText.bytes(of: text) == Self.venue)
    }

    @Test(arguments: [
        ("303a03040040e20100", "tabard:herald/1/MDoDBABA4gEA"),
        ("fbff", "tabard:herald/1/-_8"), ("00", "tabard:herald/1/AA"),
    ])
    func `a QR code's text is a URI of letters, digits, and characters that need no escape`(
        hex: String, uri: String
    ) throws {
        let payload = [UInt8](hex: hex)
        #expect(HeraldPayloadText.uri(of: payload) == uri)
        #expect(URL(string: uri)?.scheme == "tabard")
        #expect(try HeraldPayloadText.bytes(of: uri) == payload)
    }

    @Test func `X3: the base64 of a venue in the tests of Herald for iOS decodes to that venue`() throws {
        struct Venue: Decodable {
            let payload: String
            let base64: String?
        }
        struct Payloads: Decodable {
            let venues: [Venue]
        }
        let payloads: Payloads = try Vectors.load("herald-payloads.json")
        let venues = payloads.venues.filter { $0.base64 != nil }
        #expect(venues.count == 1)
        for venue in venues {
            let payload = [UInt8](hex: venue.payload)
            #expect(try HeraldPayloadText.bytes(of: venue.base64 ?? "") == payload)
            #expect(Base64.text(payload) == venue.base64)
        }
    }

    @Test func `base64 is read with either alphabet, padded or not`() throws {
        for text in ["+/8=", "+/8", "-_8", "-_8="] {
            #expect(try HeraldPayloadText.bytes(of: text) == [0xfb, 0xff])
        }
    }

    @Test(
        arguments: [
            ("", .empty), ("  \n", .empty), ("tabard:herald/1/", .empty),
            ("tabard:herald/2/MDoD", .otherForm),
            ("tabard:sonar/1/MDoD", .otherForm), ("TABARD:herald/1/MDoD", .otherForm), ("MDo!", .malformed),
            // The unused bits of the last character must be zero, so that each payload has one text.
            ("tabard:herald/1/MDoDBB", .malformed), ("A", .malformed), ("https://example.org", .malformed),
        ] as [(String, HeraldPayloadTextError)])
    func `any other text is refused`(text: String, error: HeraldPayloadTextError) {
        #expect(throws: error) { _ = try HeraldPayloadText.bytes(of: text) }
    }

    @Test func `a payload longer than an attribute is refused`() throws {
        let longest = [UInt8](repeating: 0x30, count: 512)
        #expect(try HeraldPayloadText.bytes(of: HeraldPayloadText.uri(of: longest)) == longest)
        #expect(throws: HeraldPayloadTextError.tooLong) {
            _ = try HeraldPayloadText.bytes(of: HeraldPayloadText.uri(of: longest + [0]))
        }
    }

    @Test func `any payload is read back from its texts`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let payload = generator.bytes(.random(in: 1...512, using: &generator))
            #expect(
                try HeraldPayloadText.bytes(of: HeraldPayloadText.uri(of: payload)) == payload, "seed \(seed)"
            )
            #expect(try HeraldPayloadText.bytes(of: Hexadecimal.text(payload)) == payload, "seed \(seed)")
        }
    }
}
