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

    struct Fixed: Decodable, CustomTestStringConvertible {
        let name: String
        let payload: String
        let country: UInt16
        let state: UInt16
        let client: UInt64
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

    struct Extended: Decodable, CustomTestStringConvertible {
        /// Exactly one of the values is present.
        struct Section: Decodable {
            let code: UInt8
            let text: String?
            let number: Int64?
            let time: UInt32?
            let metres: Float?
            let coordinates: [Int16]?
            let data: String?
            let unknown: String?
            let malformed: String?

            var value: HeraldSectionValue? {
                if let text { return (try? HeraldText(text)).map(HeraldSectionValue.text) }
                if let number { return .number(number) }
                if let time { return .time(time) }
                if let metres { return .metres(metres) }
                if let coordinates {
                    return .coordinates(latitudeMinutes: coordinates[0], longitudeMinutes: coordinates[1])
                }
                if let data { return bytes(data).map(HeraldSectionValue.data) }
                if let unknown { return bytes(unknown).map(HeraldSectionValue.unknown) }
                return malformed.flatMap(bytes).map(HeraldSectionValue.malformed)
            }

            private func bytes(_ digits: String) -> FixedBuffer<255>? {
                FixedBuffer([UInt8](hex: digits).span)
            }
        }

        let name: String
        let payload: String
        let sections: [Section]
        /// The number of bytes at the end that form no section.
        let rest: Int
        var testDescription: String { name }
    }

    struct ShortName: Decodable {
        let payload: String
        let shortName: String
    }

    let venues: [Venue]
    let deviations: [Venue]
    let simple: [Simple]
    let fixed: [Fixed]
    let others: [Other]
    let extended: [Extended]
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
