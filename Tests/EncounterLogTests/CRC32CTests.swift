import FixedMemory
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct CRC32CTests {
    /// RFC 3720, B.4, and the usual check value.
    @Test func `published check values match`() {
        let vectors: [([UInt8], UInt32)] = [
            (Array("123456789".utf8), 0xe306_9283),
            (Array(repeating: 0, count: 32), 0x8a91_36aa),
            (Array(repeating: 0xff, count: 32), 0x62a8_ab43),
            (Array(0..<32), 0x46dd_794e),
            (Array((0..<32).reversed()), 0x113f_db5c),
            ([], 0),
        ]
        for (bytes, expected) in vectors {
            let checksum = CRC32C.checksum(of: bytes.span)
            #expect(checksum == expected)
        }
    }

    @Test func `a checksum can be continued at any byte`() {
        let bytes = [UInt8](0..<100)
        let whole = CRC32C.checksum(of: bytes.span)
        for split in 0...bytes.count {
            let first = CRC32C.checksum(of: bytes.span.extracting(0..<split))
            let both = CRC32C.checksum(of: bytes.span.extracting(split..<bytes.count), continuing: first)
            #expect(both == whole)
        }
    }
}
