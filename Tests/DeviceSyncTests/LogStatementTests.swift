import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct LogStatementTests {
    private static func statement() -> LogStatement {
        var statement = LogStatement()
        statement.logIdentity = Bytes<16>([UInt8](0xa0...0xaf).span) ?? Bytes()
        statement.bootIdentifier = 0x1122_3344_5566_7788
        statement.nonce = Bytes<16>([UInt8](0x10...0x1f).span) ?? Bytes()
        statement.oldestSegmentOrdinal = 7
        statement.head = SyncPosition(segmentOrdinal: 9, byteOffset: 0x1234)
        statement.chainValue = Bytes<16>([UInt8](0x40...0x4f).span) ?? Bytes()
        statement.acknowledgedThrough = SyncPosition(segmentOrdinal: 8, byteOffset: 0x1000)
        statement.instant = 123_456
        return statement
    }

    private static let bytes = [UInt8](
        hex: """
            01 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf 8877665544332211 101112131415161718191a1b1c1d1e1f
            07000000 09000000 34120000 404142434445464748494a4b4c4d4e4f 08000000 00100000 40e2010000000000
            """)

    @Test func `the bytes are those of the document`() throws {
        let encoded = Self.statement().encoded
        #expect((0..<85).map { encoded[$0] } == Self.bytes)
        #expect(try LogStatement(Self.bytes.span) == Self.statement())
    }

    @Test func `the signed bytes are the purpose and the statement`() {
        let whole = Array("tabard manifest 1".utf8) + Self.bytes
        #expect(LogStatement.digest(of: Self.bytes.span) == SHA256.digest(of: whole.span))
    }

    @Test(arguments: 0..<85) func `a statement that is cut short is refused`(count: Int) {
        #expect(throws: LogStatementError.malformed) { try LogStatement(Array(Self.bytes[..<count]).span) }
    }

    @Test func `a statement that is too long is refused`() {
        #expect(throws: LogStatementError.malformed) { try LogStatement((Self.bytes + [0]).span) }
    }

    @Test func `a later version is distinguished from damage`() {
        let later = [2] + Self.bytes.dropFirst()
        #expect(throws: LogStatementError.unknownVersion(2)) { try LogStatement((later + [0]).span) }
    }

    @Test func `positions have the order of the log`() {
        let positions = [(0, 9), (1, 0), (1, 8), (2, 0)].map {
            SyncPosition(segmentOrdinal: $0.0, byteOffset: $0.1)
        }
        #expect(positions.shuffled().sorted() == positions)
    }
}
