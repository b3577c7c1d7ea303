import FixedMemory
import Foundation
import TestSupport
import Testing

@testable import Schemes

/// Tests/Vectors/herald-primitives.json
private struct PrimitiveVectors: Decodable {
    struct Integer: Decodable {
        let value: Int16
        let bytes, base64: String
    }
    struct Text: Decodable {
        let value, bytes: String
    }
    struct TestPayload: Decodable {
        let number: Int32
        let payload, label: String
    }

    let integers: [Integer]
    let texts: [Text]
    let testPayloads: [TestPayload]

    static func load() throws -> PrimitiveVectors { try Vectors.load("herald-primitives.json") }
}

/// The primitive encodings of Herald's payloads.
@Suite struct HeraldPrimitivesTests {
    @Test func `X3: integers of 16 bits are little-endian, read and written`() throws {
        for vector in try PrimitiveVectors.load().integers {
            var written = FixedBuffer<2>()
            try written.append(littleEndian: UInt16(bitPattern: vector.value))
            #expect(written.span.array.hex == vector.bytes)
            let bytes = try #require(Data(base64Encoded: vector.base64))
            #expect(Int16(bitPattern: [UInt8](bytes).span.loadUInt16(at: 0)) == vector.value)
        }
    }

    @Test func `a text follows its length, read and written`() throws {
        for vector in try PrimitiveVectors.load().texts {
            let bytes = [UInt8](hex: "10" + vector.bytes)
            var sections = HeraldSections(bytes.span)
            guard let section = sections.next() else {
                Issue.record("no section in \(bytes.hex)")
                continue
            }
            let value = HeraldSectionValue(code: section.code, bytes: section.bytes)
            #expect(value == .text(try HeraldText(vector.value)))
            var venue = HeraldVenue(country: 826, state: 4, location: 123_456)
            venue.name = try HeraldText(vector.value)
            #expect(try venue.encoded().span.array.hex == "303a03040040e20100" + bytes.hex)
        }
    }

    @Test func `HP-C41: the test payloads of Herald's demonstration identify devices by their number`() throws
    {
        let vectors = try PrimitiveVectors.load().testPayloads
        #expect(vectors.count == 2 && Set(vectors.map(\.payload)).count == 2)
        for vector in vectors {
            let payload = [UInt8](hex: vector.payload)
            #expect(payload.count == 129)
            #expect(Int32(bitPattern: payload.span.loadUInt32(at: 3)) == vector.number)
            let parsed = try HeraldPayload(payload)
            guard case .routed(type: 0, _) = parsed else {
                Issue.record("not read by its first byte: \(parsed)")
                continue
            }
            #expect(parsed.isIdentity)
            #expect(try label(payload) == vector.label)
        }
    }
}
