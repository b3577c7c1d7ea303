import Testing

@testable import Parquet

/// Collects what a writer gives to its sink.
final class Output {
    var bytes: [UInt8] = []
}

@Suite struct ParquetWriterTests {
    private func file(
        _ columns: [ParquetColumn], _ compression: ParquetCompression = .none, group: Int = 1 << 16,
        metadata: [(key: String, value: String)] = [], _ body: (ParquetWriter) throws -> Void
    ) throws -> [UInt8] {
        let output = Output()
        let writer = try ParquetWriter(
            ParquetSchema(columns), keyValueMetadata: metadata, createdBy: "x", compression: compression,
            rowGroupRowCount: group
        ) { output.bytes += $0 }
        try body(writer)
        try writer.finish()
        #expect(writer.byteCount == output.bytes.count)
        return output.bytes
    }

    /// Each byte was derived from parquet.thrift by hand.
    @Test func `a file of one value has the specified bytes`() throws {
        let bytes = try file([ParquetColumn("a", .int32)]) {
            try $0.append(Int32(5))
            try $0.endRow()
        }
        let magic: [UInt8] = [0x50, 0x41, 0x52, 0x31]
        // PageHeader: data page, 4 bytes, 4 stored; DataPageHeader: 1 value, PLAIN, RLE, RLE. Then the value.
        let page: [UInt8] = [
            0x15, 0x00, 0x15, 0x08, 0x15, 0x08, 0x2c, 0x15, 0x02, 0x15, 0x00, 0x15, 0x06, 0x15, 0x06, 0x00,
            0x00,
            0x05, 0x00, 0x00, 0x00,
        ]
        let schema: [UInt8] = [
            // Version 1, a list of two SchemaElements: the root with 1 child, and INT32 REQUIRED "a".
            0x15, 0x02, 0x19, 0x2c, 0x48, 0x06, 0x73, 0x63, 0x68, 0x65, 0x6d, 0x61, 0x15, 0x02, 0x00,
            0x15, 0x02, 0x25, 0x00, 0x18, 0x01, 0x61, 0x00,
        ]
        let chunk: [UInt8] = [
            // ColumnChunk: file_offset 0; ColumnMetaData: INT32, [PLAIN, RLE], ["a"], UNCOMPRESSED, 1 value.
            0x26, 0x00, 0x1c, 0x15, 0x02, 0x19, 0x25, 0x00, 0x06, 0x19, 0x18, 0x01, 0x61, 0x15, 0x00, 0x16,
            0x02,
            // 21 bytes, 21 compressed, data page at 4.
            0x16, 0x2a, 0x16, 0x2a, 0x26, 0x08,
            // Statistics: no null, maximum 5, minimum 5, both exact.
            0x3c, 0x36, 0x00, 0x28, 0x04, 0x05, 0x00, 0x00, 0x00, 0x18, 0x04, 0x05, 0x00, 0x00, 0x00, 0x11,
            0x11, 0x00,
            // PageEncodingStats: one data page, PLAIN. The ends of ColumnMetaData and ColumnChunk.
            0x19, 0x1c, 0x15, 0x00, 0x15, 0x00, 0x15, 0x02, 0x00, 0x00, 0x00,
        ]
        let rowGroup: [UInt8] =
            [0x19, 0x1c] + chunk + [0x16, 0x2a, 0x16, 0x02, 0x26, 0x08, 0x16, 0x2a, 0x00]
        // 1 row, a list of 1 row group, created_by "x", column_orders [TYPE_ORDER].
        let footer: [UInt8] =
            schema + [0x16, 0x02, 0x19, 0x1c] + rowGroup
            + [0x28, 0x01, 0x78, 0x19, 0x1c, 0x1c, 0x00, 0x00, 0x00]
        #expect(bytes == magic + page + footer + [UInt8(footer.count), 0, 0, 0] + magic)
    }

    @Test func `definition levels have their length before them`() throws {
        let bytes = try file([ParquetColumn("a", .boolean, isOptional: true)]) {
            for value in [true, nil, false, true] as [Bool?] {
                try $0.append(value)
                try $0.endRow()
            }
        }
        // The length 2, a packed run of one group with the levels 1, 0, 1, 1; the values 1, 0, 1.
        #expect(bytes[(4 + 17)...].starts(with: [2, 0, 0, 0, 3, 0b1101, 0b101]))
    }

    @Test func `a dictionary comes before the indices`() throws {
        let bytes = try file([ParquetColumn("a", .string)]) {
            for index in 0..<16 {
                try $0.append(index < 8 ? "ab" : "c")
                try $0.endRow()
            }
        }
        // PageHeader: dictionary page, 11 bytes, 11 stored; DictionaryPageHeader: 2 values, PLAIN.
        let dictionary: [UInt8] =
            [0x15, 0x04, 0x15, 0x16, 0x15, 0x16, 0x4c, 0x15, 0x04, 0x15, 0x00, 0x00, 0x00]
            + [2, 0, 0, 0, 0x61, 0x62, 1, 0, 0, 0, 0x63]
        // DataPageHeader: 16 values, RLE_DICTIONARY. The width 1, two runs of 8.
        let data: [UInt8] =
            [
                0x15, 0x00, 0x15, 0x0a, 0x15, 0x0a, 0x2c, 0x15, 0x20, 0x15, 0x10, 0x15, 0x06, 0x15, 0x06,
                0x00, 0x00,
            ]
            + [1, 16, 0, 16, 1]
        #expect(bytes.dropFirst(4).starts(with: dictionary + data))
    }

    @Test func `no rows give a footer without row groups`() throws {
        let bytes = try file([ParquetColumn("a", .double)]) { _ in }
        #expect(bytes.starts(with: Array("PAR1".utf8) + [0x15, 0x02]))
        // num_rows 0, then an empty list.
        #expect(bytes.contains([0x16, 0x00, 0x19, 0x0c]))
    }

    @Test(arguments: [ParquetCompression.none, .zstd(level: 3), .zstd(level: .min), .zstd(level: .max)])
    func `the same rows give the same bytes`(_ compression: ParquetCompression) throws {
        let columns = [
            ParquetColumn("a", .string), ParquetColumn("b", .int64, isOptional: true, description: "B"),
        ]
        func write(_ last: Int64 = 2) throws -> [UInt8] {
            try file(columns, compression, group: 300, metadata: [("k", "v"), ("a", "")]) {
                for row in 0..<1000 {
                    try $0.append("value \(row % 37)")
                    try $0.append(row == 999 ? last : row % 5 == 0 ? nil : Int64(row))
                    try $0.endRow()
                }
            }
        }
        #expect(try write() == write())
        #expect(try write() != write(3))
    }

    @Test func `row groups reach the sink when they are complete`() throws {
        let output = Output()
        let writer = try ParquetWriter(
            ParquetSchema([ParquetColumn("a", .int32)]), createdBy: "x", rowGroupRowCount: 0
        ) { output.bytes += $0 }
        #expect(output.bytes.isEmpty)
        try writer.append(Int32(1))
        #expect(output.bytes.isEmpty)
        // Less than a row is taken as one row.
        try writer.endRow()
        let first = output.bytes.count
        #expect(first > 4)
        try writer.append(Int32(1))
        try writer.endRow()
        #expect(output.bytes.count == first * 2 - 4)
        #expect(writer.rowCount == 2)
    }

    @Test func `many bytes of strings end a row group early`() throws {
        let output = Output()
        let writer = try ParquetWriter(ParquetSchema([ParquetColumn("a", .binary)]), createdBy: "x") {
            output.bytes += $0
        }
        var value = [UInt8](repeating: 7, count: ParquetWriter.rowGroupByteCount / 4 - 4)
        for row in 1...4 {
            // Values that differ at once are compared quickly.
            value[0] = UInt8(row)
            try writer.append(value)
            try writer.endRow()
            #expect(output.bytes.isEmpty == (row < 4))
        }
    }

    @Test func `a data page ends at its limits`() throws {
        var buffer = ColumnBuffer(ParquetColumn("a", .binary))
        let value = [UInt8](repeating: 7, count: 600_000)
        for _ in 0..<5 { value.withUnsafeBytes { buffer.append($0) } }
        var encoder = try ColumnChunkEncoder(.none)
        buffer.chooseEncoding()
        #expect(buffer.usesDictionary)
        #expect(try encoder.encode(buffer, at: 4).dataPageCount == 1)
        buffer = ColumnBuffer(ParquetColumn("a", .binary))
        for index in 0..<5 { ([UInt8(index)] + value).withUnsafeBytes { buffer.append($0) } }
        buffer.chooseEncoding()
        // Two values exceed the limit, the fifth is alone.
        #expect(try encoder.encode(buffer, at: 4).dataPageCount == 3)
        buffer = ColumnBuffer(ParquetColumn("a", .boolean))
        for _ in 0...ColumnChunkEncoder.pageRowCount { buffer.append(1 as UInt8) }
        #expect(try encoder.encode(buffer, at: 4).dataPageCount == 2)
    }
}
