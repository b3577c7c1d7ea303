import Archive
import EncounterLog
import Foundation
import QRCodes
import TestSupport
import Testing

@testable import Reports

/// The block "extended" of Tests/Vectors/herald-payloads.json, with the sections' texts for people.
private struct ExtendedVectors: Decodable {
    struct Vector: Decodable, CustomTestStringConvertible {
        struct Section: Decodable {
            let code: UInt8
            let name: String
            let printed: String
        }

        let name: String
        let payload: String
        let sections: [Section]
        let rest: Int
        var testDescription: String { name }
    }

    let extended: [Vector]

    static func load() throws -> [Vector] {
        let vectors: ExtendedVectors = try Vectors.load("herald-payloads.json")
        return vectors.extended
    }
}

@Suite struct HeraldDetailTests {
    @Test(arguments: try ExtendedVectors.load())
    fileprivate func `Extended data in words, in their order`(vector: ExtendedVectors.Vector) {
        let document = HeraldPayloadDocument([UInt8](hex: vector.payload))
        #expect(document.extended.map(\.name) == vector.sections.map(\.name))
        #expect(document.extended.map(\.value) == vector.sections.map(\.printed))
        #expect(document.extended.map { UInt8($0.code, radix: 16) } == vector.sections.map(\.code))
        #expect(document.restByteCount == vector.rest)
    }

    @Test(arguments: [
        // Sections: name "Adams Pizza", area "Bar", disambiguation "2".
        ("303a03040040e20100100b4164616d732050697a7a611103426172120132", " [area Bar, disambiguation 2]"),
        ("303a03040040e20100100b4164616d732050697a7a61", ""),
        // Only the first name section is the venue's name, so a second one is shown.
        ("303a03040040e2010010054164616d731003457665", " [name Eve]"),
        (
            "103a030000e2cfbeb32de932c9171c658b5f57a33742075069786c2034344001c3",
            " [model Pixl 44, last RSSI of the reader -61 dBm]"
        ),
        ("103a030000e2cfbeb32de932c9171c658b5f57a3377f0101", " [1 section not understood]"),
        ("103a030000e2cfbeb32de932c9171c658b5f57a3377f010100020101", " [2 sections not understood]"),
        ("083a03040015cd5b0700000000", ""), ("", ""),
    ])
    func `A remark behind the label has the other sections`(payload: String, remark: String) {
        #expect(Identity(scheme: SchemeCode(.herald), payload: [UInt8](hex: payload)).remark == remark)
    }

    @Test func `No sender fills a list`() {
        let sections = String(repeating: "000101", count: 160)
        let remark = Identity(
            scheme: SchemeCode(.herald), payload: [UInt8](hex: "303a03040040e20100" + sections)
        ).remark
        #expect(remark.hasPrefix(" [version 1, version 1, ") && remark.hasSuffix("…]"))
        #expect(remark.count == 163)
    }

    @Test func `Identities of other schemes have no extended data`() {
        let payload = [UInt8](hex: "303a03040040e201001103426172")
        #expect(Identity(scheme: SchemeCode(.sonar), payload: payload).details.isEmpty)
    }
}

@Suite struct HeraldPayloadDocumentTests {
    @Test(arguments: [
        ("303a03040040e20100", "venue", "826/4/123456"),
        ("083a03040015cd5b0700000000", "fixed", "826/4 fixed 123456789"),
        ("103a030000" + String(repeating: "0", count: 32), "simple", "826/0 simple, expired"),
        ("203a030000ffffff", "secured", "826/0 secured AAD///"),
        ("0378563412ff", "routed", "routed NBL/"),
    ])
    func `Each kind of payload, by its bytes`(payload: String, kind: String, label: String) {
        let document = HeraldPayloadDocument([UInt8](hex: payload))
        #expect(document.kind == kind)
        #expect(document.label == label)
        #expect(document.hexadecimal == payload)
        #expect(document.refusal == nil)
        #expect(document.text.contains("hex") && document.text.contains(document.uri))
    }

    @Test func `Bytes that are no payload are shown, with the reason`() throws {
        let document = HeraldPayloadDocument([UInt8](hex: "303a03"))
        #expect(document.kind == nil)
        #expect(document.text.contains("shorter than its fixed part"))
        let json = String(decoding: try HeraldPayloadDocument.json([document]), as: UTF8.self)
        #expect(json.contains("\"country\" : null"))
        #expect(HeraldPayloadDocument([]).text.contains("unreadable"))
    }

    @Test func `An identifier of zeros identifies no device`() {
        let document = HeraldPayloadDocument([UInt8](hex: "103a030000" + String(repeating: "0", count: 32)))
        #expect(document.isExpired == true)
        #expect(document.text.contains("identifies no device"))
    }
}

@Suite struct QRPosterTests {
    @Test
    func `A drawing has each dark module once, and the caption without what SVG would take for its own`()
        throws
    {
        let code = try QRCode("tabard:herald/1/MDoDBABA4gEA")
        let svg = QRPoster(code, caption: ["<Adams> & \"Eve\"", "826/4/123456"]).svg()
        #expect(svg.contains(">&lt;Adams&gt; &amp; &quot;Eve&quot;</text>"))
        var drawn: Set<[Int]> = []
        for match in svg.matches(of: #/M(\d+) (\d+)h(\d+)v1h-(\d+)z/#) {
            let (column, row, length) = (Int(match.1) ?? -1, Int(match.2) ?? -1, Int(match.3) ?? -1)
            #expect(match.3 == match.4)
            for offset in 0..<length { #expect(drawn.insert([column + offset - 4, row - 4]).inserted) }
        }
        for row in -4..<code.width + 4 {
            for column in -4..<code.width + 4 {
                #expect(drawn.contains([column, row]) == code.isDark(column: column, row: row))
            }
        }
    }
}
