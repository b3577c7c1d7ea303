import FixedMemory
import TestSupport
import Testing

@testable import Schemes

/// Extended data behind venues and behind Simple payloads.
@Suite struct HeraldSectionsTests {
    @Test(arguments: try HeraldVectors.load().extended)
    func `HP-C41, HP-C42: extended data are read section by section, and unknown codes are kept`(
        vector: HeraldVectors.Extended
    ) {
        let payload = [UInt8](hex: vector.payload)
        var sections = HeraldSections(HeraldPayload.extendedData(of: payload.span))
        var found: [(UInt8, HeraldSectionValue)] = []
        while let section = sections.next() {
            found.append((section.code, HeraldSectionValue(code: section.code, bytes: section.bytes)))
        }
        #expect(found.map(\.0) == vector.sections.map(\.code))
        #expect(found.map { Optional($0.1) } == vector.sections.map(\.value))
        let rest = sections.restCount
        #expect(rest == vector.rest)
    }

    @Test
    func `each code that the specification describes has a kind, and the four codes of venues are all texts`()
    {
        let described: [UInt8] = Array(0x00...0x08) + Array(0x10...0x18) + [0x20, 0x21, 0x3e, 0x3f]
        let known = (UInt8.min ... .max).filter { HeraldSectionCode(rawValue: $0) != nil }
        #expect(known == described + [0x40, 0x41, 0x42])
        for code in [HeraldSectionCode.name, .area, .disambiguation, .url] { #expect(code.kind == .text) }
    }

    @Test func `any bytes are sections to their end, and every section has a value`() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<5000 {
            let bytes = generator.bytes(.random(in: 0...60, using: &generator))
            var sections = HeraldSections(bytes.span)
            var left = bytes.count
            while let section = sections.next() {
                let value = HeraldSectionValue(code: section.code, bytes: section.bytes)
                let isKnown = HeraldSectionCode(rawValue: section.code) != nil
                if case .unknown = value {
                    #expect(!isKnown, "seed \(seed), round \(round)")
                } else {
                    #expect(isKnown, "seed \(seed), round \(round)")
                }
                let rest = sections.restCount
                #expect(rest < left, "seed \(seed), round \(round)")
                left = rest
            }
            #expect(left < 3 || bytes[bytes.count - left] == 0xff, "seed \(seed), round \(round)")
        }
    }
}
