import FixedMemory
import TestSupport
import Testing

@testable import Schemes

/// Tests/Vectors/herald-payloads.json
struct HeraldVectors: Decodable {
    struct Venue: Decodable, CustomTestStringConvertible {
        let name: String
        let payload: String
        let country: UInt16
        let state: UInt16
        let location: UInt32
        let premises: String?
        let area: String?
        let disambiguation: String?
        let url: String?
        let label: String
        var testDescription: String { name }
    }

    struct Simple: Decodable, CustomTestStringConvertible {
        let name: String
        let payload: String
        let country: UInt16
        let state: UInt16
        let identifier: String
        let expired: Bool
        let shortName: String
        let label: String
        var testDescription: String { name }
    }

    struct Other: Decodable, CustomTestStringConvertible {
        let name: String
        let payload: String
        let type: UInt8
        let country: UInt16
        let state: UInt16
        let label: String
        var testDescription: String { name }
    }

    struct ShortName: Decodable {
        let payload: String
        let shortName: String
    }

    let venues: [Venue]
    let deviations: [Venue]
    let simple: [Simple]
    let others: [Other]
    let shortNames: [ShortName]
    let tooShort: [String]

    static func load() throws -> HeraldVectors { try Vectors.load("herald-payloads.json") }
}

extension Span where Element == UInt8 {
    var array: [UInt8] { indices.map { self[$0] } }
}

extension HeraldText {
    init(_ text: String) throws(HeraldPayloadError) {
        let bytes = Array(text.utf8)
        try self.init(bytes.span)
    }

    var string: String { String(decoding: span.array, as: UTF8.self) }
}

extension HeraldPayload {
    init(_ bytes: [UInt8]) throws(HeraldPayloadError) { try self.init(parsing: bytes.span) }
}

func label(_ payload: [UInt8]) throws -> String {
    var text = FixedBuffer<320>()
    try HeraldLabel.write(payload.span, to: &text)
    return String(decoding: text.span.array, as: UTF8.self)
}

func shortName(_ payload: [UInt8]) throws -> String {
    var text = FixedBuffer<6>()
    try HeraldLabel.writeShortName(payload.span, to: &text)
    return String(decoding: text.span.array, as: UTF8.self)
}
