import Testing

@testable import Parquet

@Suite struct ColumnStatisticsTests {
    private func doubles(_ values: [Double?]) -> ColumnStatistics {
        var buffer = ColumnBuffer(ParquetColumn("a", .double, isOptional: true))
        for value in values { if let value { buffer.append(value.bitPattern) } else { buffer.appendNull() } }
        return ColumnStatistics(of: buffer)
    }

    private func bytes(_ value: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }

    private func strings(_ values: [String]) -> ColumnStatistics.Bounds? {
        var buffer = ColumnBuffer(ParquetColumn("a", .string))
        for value in values { Array(value.utf8).withUnsafeBytes { buffer.append($0) } }
        let withDictionary = ColumnStatistics(of: buffer)
        #expect(buffer.usesDictionary)
        // All values are distinct, so no dictionary makes them smaller.
        buffer.chooseEncoding()
        #expect(buffer.usesDictionary == values.isEmpty)
        #expect(ColumnStatistics(of: buffer) == withDictionary)
        return withDictionary.bounds
    }

    @Test func `integers are compared with their signs`() {
        var buffer = ColumnBuffer(ParquetColumn("a", .int32))
        for value in [3, .min, -1, .max, 0] as [Int32] { buffer.append(value) }
        #expect(
            ColumnStatistics(of: buffer).bounds
                == .init(minimum: [0, 0, 0, 0x80], maximum: [0xff, 0xff, 0xff, 0x7f]))
        #expect(ColumnStatistics(of: buffer).nanCount == nil)
    }

    @Test func `booleans have a byte each`() {
        var buffer = ColumnBuffer(ParquetColumn("a", .boolean))
        buffer.append(1 as UInt8)
        #expect(ColumnStatistics(of: buffer).bounds == .init(minimum: [1], maximum: [1]))
        buffer.append(0 as UInt8)
        #expect(ColumnStatistics(of: buffer).bounds == .init(minimum: [0], maximum: [1]))
    }

    @Test func `nulls are counted, and have no bounds`() {
        #expect(doubles([nil, nil]) == doubles([nil, nil]))
        #expect(doubles([nil, nil]).nullCount == 2)
        #expect(doubles([nil, nil]).bounds == nil)
        #expect(doubles([nil, 2]).bounds == .init(minimum: bytes(2), maximum: bytes(2)))
    }

    @Test func `a NaN is counted, and leaves no bounds`() {
        let statistics = doubles([1, .nan, nil, -.nan])
        #expect(statistics.bounds == nil)
        #expect(statistics.nanCount == 2)
        #expect(statistics.nullCount == 1)
        #expect(doubles([1]).nanCount == 0)
    }

    @Test func `a zero bound is the outer zero`() {
        #expect(doubles([0, -0.0]).bounds == .init(minimum: bytes(-0.0), maximum: bytes(0)))
        #expect(doubles([0]).bounds == .init(minimum: bytes(-0.0), maximum: bytes(0)))
        #expect(doubles([-0.0, 1]).bounds == .init(minimum: bytes(-0.0), maximum: bytes(1)))
    }

    @Test func `infinities are bounds`() {
        #expect(doubles([.infinity]).bounds == .init(minimum: bytes(.infinity), maximum: bytes(.infinity)))
        #expect(doubles([-.infinity]).bounds == .init(minimum: bytes(-.infinity), maximum: bytes(-.infinity)))
    }

    @Test func `strings are compared as unsigned bytes`() {
        #expect(
            strings(["b", "ä", "ab", "abc"]) == .init(minimum: Array("ab".utf8), maximum: Array("ä".utf8)))
        // U+FFFF comes before U+10000 in bytes, but not in UTF-16.
        #expect(
            strings(["\u{10000}", "\u{ffff}"])
                == .init(minimum: Array("\u{ffff}".utf8), maximum: Array("\u{10000}".utf8)))
        #expect(strings(["x", ""]) == .init(minimum: [], maximum: [0x78]))
        #expect(strings([]) == nil)
    }

    @Test func `long strings have no bounds`() {
        let limit = ColumnStatistics.maximumBoundByteCount
        let long = String(repeating: "m", count: limit)
        #expect(strings(["a", long])?.maximum == Array(long.utf8))
        #expect(strings(["a", long + "m"]) == nil)
        #expect(strings([long + "m", "z"]) == nil)
        // A long string between the bounds does not matter.
        #expect(strings(["a", long + "m", "z"]) == .init(minimum: [0x61], maximum: [0x7a]))
    }

    @Test func `statistics are written in the fields with column orders`() {
        let bytes = CompactProtocolWriter.structure { doubles([1, 2, nil]).write(field: 12, to: &$0) }
        let (one, two): ([UInt8], [UInt8]) = (
            [8, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f], [8, 0, 0, 0, 0, 0, 0, 0, 0x40]
        )
        // One null; the maximum, then the minimum, both exact; no NaN.
        #expect(bytes == [0xcc, 0x36, 2, 0x28] + two + [0x18] + one + [0x11, 0x11, 0x16, 0, 0, 0])
    }
}
