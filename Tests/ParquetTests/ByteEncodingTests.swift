import Testing

@testable import Parquet

@Suite struct ByteEncodingTests {
    /// 50,399 is the example of the Thrift compact protocol; the others are the limits of each length.
    @Test(
        arguments: [
            (0, [0x00]), (127, [0x7f]), (128, [0x80, 0x01]), (16_383, [0xff, 0x7f]),
            (16_384, [0x80, 0x80, 0x01]),
            (50_399, [0xdf, 0x89, 0x03]),
            (UInt64.max, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
        ] as [(UInt64, [UInt8])])
    func `an unsigned varint has seven bits a byte, the lowest first`(_ value: UInt64, _ expected: [UInt8]) {
        var bytes: [UInt8] = []
        bytes.appendVarint(value)
        #expect(bytes == expected)
    }

    @Test func `integers are little endian, and byte arrays have their length before them`() {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(Int32(-2))
        #expect(bytes == [0xfe, 0xff, 0xff, 0xff])
        bytes = [9]
        Array("é!".utf8).withUnsafeBytes { bytes.appendByteArray($0) }
        #expect(bytes == [9, 3, 0, 0, 0, 0xc3, 0xa9, 0x21])
        #expect(bytes.byteArraySize(at: 1) == 7)
    }

    @Test func `bytes are compared up to the last one`() {
        for count in 0..<20 {
            let bytes = (0..<UInt8(count)).map { $0 }
            bytes.withUnsafeBytes { left in
                bytes.withUnsafeBytes { #expect(left.hasSameBytes(as: $0)) }
                for changed in bytes.indices {
                    var other = bytes
                    other[changed] ^= 0x80
                    other.withUnsafeBytes { #expect(!left.hasSameBytes(as: $0)) }
                }
            }
        }
    }
}
