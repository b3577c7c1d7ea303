import FixedMemory
import TestSupport
import Testing

@testable import Schemes

@Suite struct HeraldPayloadTests {
    @Test(arguments: try HeraldVectors.load().simple)
    func `a phone's payload is parsed`(vector: HeraldVectors.Simple) throws {
        let payload = [UInt8](hex: vector.payload)
        let parsed = try HeraldPayload(payload)
        guard case .simple(let simple) = parsed else {
            Issue.record("not read as a Simple payload")
            return
        }
        #expect(simple.country == vector.country)
        #expect(simple.state == vector.state)
        #expect(simple.identifier.span.array.hex == vector.identifier)
        #expect(simple.isExpired == vector.expired)
        #expect(parsed.isIdentity == !vector.expired)
        #expect(try shortName(payload) == vector.shortName)
        #expect(try label(payload) == vector.label)
    }

    @Test(arguments: try HeraldVectors.load().fixed)
    func `a fixed payload is read and made byte for byte`(vector: HeraldVectors.Fixed) throws {
        let payload = [UInt8](hex: vector.payload)
        let fixed = HeraldFixed(country: vector.country, state: vector.state, client: vector.client)
        #expect(try HeraldFixed(parsing: payload.span) == fixed)
        #expect(try HeraldPayload(payload) == .fixed(fixed))
        #expect(try HeraldPayload(payload).isIdentity)
        #expect(fixed.encoded().span.array.hex == vector.payload)
        #expect(try label(payload) == vector.label)
    }

    @Test func `a fixed payload has 13 bytes and type 08`() throws {
        let payload = [UInt8](hex: "083a03040015cd5b0700000000")
        for count in 0..<13 {
            let cut = Array(payload.prefix(count))
            #expect(throws: HeraldPayloadError.tooShort) { _ = try HeraldFixed(parsing: cut.span) }
        }
        let longer = payload + [0]
        #expect(throws: HeraldPayloadError.tooLong) { _ = try HeraldFixed(parsing: longer.span) }
        for type in UInt8.min ... .max where type > 0x08 {
            let other = [type] + payload.dropFirst()
            #expect(throws: HeraldPayloadError.otherFamily) { _ = try HeraldFixed(parsing: other.span) }
        }
    }

    @Test(arguments: try HeraldVectors.load().others)
    func `a payload of another family is identified by its header`(vector: HeraldVectors.Other) throws {
        let payload = [UInt8](hex: vector.payload)
        let header = HeraldHeader(type: vector.type, country: vector.country, state: vector.state)
        #expect(try HeraldPayload(payload) == .other(header))
        #expect(try label(payload) == vector.label)
    }

    @Test func `a routed payload has a routing identifier and no header`() throws {
        let payload: [UInt8] = [0x03, 0x78, 0x56, 0x34, 0x12, 0xff]
        #expect(try HeraldPayload(payload) == .routed(type: 3, routingIdentifier: 0x1234_5678))
        #expect(throws: HeraldPayloadError.headerMissing) { _ = try HeraldHeader(parsing: payload.span) }
        #expect(try label(payload) == "routed NBL/")
    }

    @Test(
        arguments: [
            (0x00, .routed), (0x07, .routed), (0x08, .custom), (0x0f, .custom), (0x10, .simple),
            (0x17, .simple),
            (0x18, .reserved), (0x1f, .reserved), (0x20, .secured), (0x27, .secured), (0x28, .reserved),
            (0x2f, .reserved), (0x30, .venue), (0x37, .venue), (0x38, .reserved), (0x7f, .reserved),
            (0x80, .exposureNotification), (0x87, .exposureNotification), (0x88, .robert), (0x8f, .robert),
            (0x90, .openTrace), (0x97, .openTrace), (0x98, .dp3t), (0x9f, .dp3t), (0xa0, .pact),
            (0xa7, .pact),
            (0xa8, .reserved), (0xff, .reserved),
        ] as [(UInt8, HeraldFamily)])
    func `the first byte determines the family`(type: UInt8, family: HeraldFamily) {
        #expect(HeraldFamily(type: type) == family)
    }

    @Test(arguments: try HeraldVectors.load().tooShort)
    func `too few bytes are refused and still have a label`(hex: String) throws {
        let payload = [UInt8](hex: hex)
        #expect(throws: HeraldPayloadError.tooShort) { _ = try HeraldPayload(payload) }
        #expect(try label(payload) == "unreadable " + shortName(payload))
    }

    @Test func `short names equal those in Herald's logs`() throws {
        for vector in try HeraldVectors.load().shortNames {
            #expect(try shortName([UInt8](hex: vector.payload)) == vector.shortName)
        }
    }

    @Test func `any bytes are read or refused, and have a label that fits`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let vectors = try HeraldVectors.load()
        let seeds = (vectors.venues + vectors.deviations).map { [UInt8](hex: $0.payload) }
        for round in 0..<5000 {
            var payload = generator.bytes(.random(in: 0...40, using: &generator))
            if round.isMultiple(of: 2) {
                payload = seeds[round / 2 % seeds.count]
                payload[.random(in: payload.indices, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
                payload.removeLast(.random(in: 0...min(3, payload.count), using: &generator))
            }
            if let parsed = try? HeraldPayload(payload), case .venue(let venue) = parsed {
                // Texts are UTF-8 for any input, so any venue that was read can be written.
                let again = try HeraldVenue(parsing: venue.encoded().span)
                #expect(again == venue, "seed \(seed), round \(round)")
            }
            let text = try label(payload)
            #expect(!text.contains { $0.isNewline }, "seed \(seed), round \(round)")
        }
    }
}
