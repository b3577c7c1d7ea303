import Testing

@testable import Parquet

@Suite struct ColumnBufferTests {
    private func append(_ value: String, to buffer: inout ColumnBuffer) {
        Array(value.utf8).withUnsafeBytes { buffer.append($0) }
    }

    @Test func `equal strings have the same index, in the order of their first occurrence`() {
        var buffer = ColumnBuffer(ParquetColumn("a", .string))
        for value in ["b", "", "b", "b", "a", "", "a\0"] { append(value, to: &buffer) }
        #expect(buffer.indices == [0, 1, 0, 0, 2, 1, 3])
        #expect(buffer.dictionary.count == 4)
        #expect(
            buffer.dictionary.entries == [
                1, 0, 0, 0, 0x62, 0, 0, 0, 0, 1, 0, 0, 0, 0x61, 2, 0, 0, 0, 0x61, 0,
            ])
    }

    @Test func `many strings are found again`() {
        var buffer = ColumnBuffer(ParquetColumn("a", .string))
        for _ in 0..<2 { for number in 0..<5000 { append("\(number)", to: &buffer) } }
        #expect(buffer.indices == Array(0..<5000) + Array(0..<5000))
    }

    @Test func `a full dictionary becomes plain values in their order`() {
        let half = String(repeating: "x", count: ColumnBuffer.dictionaryByteCount / 2 - 4)
        var buffer = ColumnBuffer(ParquetColumn("a", .string))
        append("1" + half.dropFirst(), to: &buffer)
        append("2" + half.dropFirst(), to: &buffer)
        append("1" + half.dropFirst(), to: &buffer)
        // These fill it to the last byte, so the next value does not fit.
        #expect(buffer.usesDictionary)
        #expect(buffer.dictionary.entries.count == ColumnBuffer.dictionaryByteCount)
        append("", to: &buffer)
        #expect(!buffer.usesDictionary)
        #expect(buffer.plain.count == 3 * half.utf8.count + 16)
        #expect([0, 1, 2].map { buffer.plain[$0 * (half.utf8.count + 4) + 4] } == [0x31, 0x32, 0x31])
        #expect(buffer.plain.suffix(4) == [0, 0, 0, 0])
    }

    @Test func `the first row group decides about the dictionary`() {
        func usage(_ groups: [[String]]) -> [Bool] {
            var buffer = ColumnBuffer(ParquetColumn("a", .string, isOptional: true))
            return groups.map { group in
                for value in group { append(value, to: &buffer) }
                buffer.appendNull()
                buffer.chooseEncoding()
                defer { buffer.removeAll() }
                return buffer.usesDictionary
            }
        }
        let distinct = (0..<100).map { "value \($0)" }
        let equal = Array(repeating: "value", count: 100)
        let large = [String(repeating: "x", count: ColumnBuffer.dictionaryByteCount)]
        #expect(usage([equal, distinct, [], large]) == [true, true, true, true])
        #expect(usage([distinct, equal, []]) == [false, false, false])
        #expect(usage([[], distinct]) == [true, true])
        #expect(usage([large, equal]) == [false, false])
    }

    @Test func `a buffer is empty after its row group`() {
        var buffer = ColumnBuffer(ParquetColumn("a", .string, isOptional: true))
        for value in ["a", "b", "a", "a", "a", "a"] { append(value, to: &buffer) }
        buffer.appendNull()
        buffer.removeAll()
        #expect(buffer.rowCount == 0 && buffer.nullCount == 0 && buffer.valueCount == 0)
        #expect(buffer.levels.isEmpty && buffer.indices.isEmpty && buffer.dictionary.count == 0)
        append("b", to: &buffer)
        #expect(buffer.indices == [0])
        #expect(buffer.dictionary.entries == [1, 0, 0, 0, 0x62])
    }
}
