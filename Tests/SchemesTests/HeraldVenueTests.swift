import FixedMemory
import TestSupport
import Testing

@testable import Schemes

@Suite struct HeraldVenueTests {
    static func expect(_ venue: HeraldVenue, _ vector: HeraldVectors.Venue) {
        #expect(venue.country == vector.country)
        #expect(venue.state == vector.state)
        #expect(venue.location == vector.location)
        #expect(venue.name.string == vector.premises ?? "")
        #expect(venue.area.string == vector.area ?? "")
        #expect(venue.disambiguation.string == vector.disambiguation ?? "")
        #expect(venue.url.string == vector.url ?? "")
    }

    @Test(arguments: try HeraldVectors.load().venues)
    func `HP-C42: a venue's payload carries its texts, read and made byte for byte`(
        vector: HeraldVectors.Venue
    ) throws {
        let payload = [UInt8](hex: vector.payload)
        let parsed = try HeraldVenue(parsing: payload.span)
        Self.expect(parsed, vector)

        var venue = HeraldVenue(country: vector.country, state: vector.state, location: vector.location)
        venue.name = try HeraldText(vector.premises ?? "")
        venue.area = try HeraldText(vector.area ?? "")
        venue.disambiguation = try HeraldText(vector.disambiguation ?? "")
        venue.url = try HeraldText(vector.url ?? "")
        #expect(venue == parsed)
        #expect(try venue.encoded().span.array.hex == vector.payload)
        #expect(try label(payload) == vector.label)
    }

    @Test(arguments: try HeraldVectors.load().deviations)
    func `HP-C41, HP-C42: payloads with later fields, or with known deviations, are read as far as possible`(
        vector: HeraldVectors.Venue
    ) throws {
        let payload = [UInt8](hex: vector.payload)
        Self.expect(try HeraldVenue(parsing: payload.span), vector)
        #expect(try label(payload) == vector.label)
    }

    @Test func `a length byte counts bytes, not characters`() throws {
        var venue = HeraldVenue(country: 826, state: 0, location: 1)
        venue.name = try HeraldText("Café")
        #expect(try venue.encoded().span.array.suffix(7) == [0x10, 5, 0x43, 0x61, 0x66, 0xc3, 0xa9])
    }

    @Test func `a text has at most 255 bytes of UTF-8`() throws {
        #expect(try HeraldText(String(repeating: "é", count: 127) + "x").count == 255)
        #expect(throws: HeraldPayloadError.tooLong) { _ = try HeraldText(String(repeating: "é", count: 128)) }
        let damaged: [UInt8] = [0x41, 0xc3]
        #expect(throws: HeraldPayloadError.notUTF8) { _ = try HeraldText(damaged.span) }
    }

    @Test func `extended data end at 501 bytes`() throws {
        var venue = HeraldVenue(country: 826, state: 0, location: 1)
        venue.name = try HeraldText(String(repeating: "n", count: 250))
        venue.url = try HeraldText(String(repeating: "u", count: 247))
        #expect(try venue.encoded().count == HeraldVenue.maximumByteCount)
        venue.url = try HeraldText(String(repeating: "u", count: 248))
        #expect(throws: HeraldPayloadError.tooLong) { _ = try venue.encoded() }
        venue.area = try HeraldText(String(repeating: "a", count: 255))
        #expect(throws: HeraldPayloadError.tooLong) { _ = try venue.encoded() }
    }

    @Test func `payloads of other families are not read as venues`() {
        for type in UInt8.min ... .max where !(0x30...0x37).contains(type) {
            let payload = [type] + [UInt8](hex: "3a03040040e20100")
            #expect(throws: HeraldPayloadError.self) { _ = try HeraldVenue(parsing: payload.span) }
        }
    }
}
