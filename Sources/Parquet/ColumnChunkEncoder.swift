/// Turns buffered values into pages (Parquet format, data page version 1).
struct ColumnChunkEncoder {
    /// Limits of a data page, which readers hold in memory as a whole. One long value may exceed the bytes.
    static let pageRowCount = 1 << 16
    static let pageByteCount = 1 << 20

    /// Pages that the writer has not taken yet.
    var output: [UInt8] = []
    private let codec: Int
    private let compressor: Compressor?
    /// The page before its compression.
    private var page: [UInt8] = []

    init(_ compression: ParquetCompression) throws(ParquetError) {
        codec = compression.codec
        switch compression {
        case .none: compressor = nil
        case .zstd(let level): compressor = try Compressor(level: level)
        }
    }

    /// Appends the column chunk to `output`.
    ///
    /// - Parameter offset: Where it begins in the file.
    mutating func encode(_ buffer: ColumnBuffer, at offset: Int) throws(ParquetError) -> ColumnChunk {
        var chunk = ColumnChunk(
            column: buffer.column, codec: codec, rowCount: buffer.rowCount,
            statistics: ColumnStatistics(of: buffer), offset: offset)
        if buffer.usesDictionary {
            chunk.dataEncoding = .rleDictionary
            page += buffer.dictionary.entries
            // fastparquet fails at a page without bytes, so a dictionary without a value has an empty one.
            if page.isEmpty { page.appendLittleEndian(0 as UInt32) }
            try appendPage(.dictionary, valueCount: max(1, buffer.dictionary.count), to: &chunk)
            chunk.dictionaryPageByteCount = chunk.compressedByteCount
        }
        var position = PagePosition()
        while position.row < buffer.rowCount {
            let start = position
            position.advance(in: buffer)
            appendLevels(of: buffer, rows: start.row..<position.row)
            appendValues(of: buffer, from: start, to: position)
            try appendPage(.data, valueCount: position.row - start.row, to: &chunk)
        }
        return chunk
    }

    private mutating func appendLevels(of buffer: ColumnBuffer, rows: Range<Int>) {
        guard buffer.column.isOptional else { return }
        var runs: [UInt8] = []
        HybridEncoding.append(buffer.levels.span.extracting(rows), bitWidth: 1, to: &runs)
        page.appendLittleEndian(UInt32(truncatingIfNeeded: runs.count))
        page += runs
    }

    private mutating func appendValues(
        of buffer: ColumnBuffer, from start: PagePosition, to end: PagePosition
    ) {
        if buffer.usesDictionary {
            let bitWidth = HybridEncoding.bitWidth(below: buffer.dictionary.count)
            page.append(UInt8(truncatingIfNeeded: bitWidth))
            let indices = buffer.indices.span.extracting(start.value..<end.value)
            HybridEncoding.append(indices, bitWidth: bitWidth, to: &page)
        } else if buffer.column.type == .boolean {
            let values = buffer.plain.span.extracting(start.byte..<end.byte)
            HybridEncoding.appendPacked(values, bitWidth: 1, to: &page)
        } else {
            page += buffer.plain[start.byte..<end.byte]
        }
    }

    /// Moves the page, with a header before it, to the output (parquet.thrift: PageHeader).
    private mutating func appendPage(
        _ type: ColumnChunk.PageType, valueCount: Int, to chunk: inout ColumnChunk
    ) throws(ParquetError) {
        let stored = try compressor?.compressed(page) ?? page
        let dataEncoding = chunk.dataEncoding
        let header = CompactProtocolWriter.structure { header in
            header.integer32(1, type.rawValue)
            header.integer32(2, page.count)
            header.integer32(3, stored.count)
            switch type {
            case .data:
                header.structure(5) { data in
                    data.integer32(1, valueCount)
                    data.integer32(2, dataEncoding.rawValue)
                    // Definition levels, then repetition levels, which a flat table does not have.
                    data.integer32(3, ColumnChunk.Encoding.rle.rawValue)
                    data.integer32(4, ColumnChunk.Encoding.rle.rawValue)
                }
            case .dictionary:
                header.structure(7) { dictionary in
                    dictionary.integer32(1, valueCount)
                    dictionary.integer32(2, ColumnChunk.Encoding.plain.rawValue)
                }
            }
        }
        if type == .data { chunk.dataPageCount += 1 }
        chunk.uncompressedByteCount += header.count + page.count
        chunk.compressedByteCount += header.count + stored.count
        output += header
        output += stored
        page.removeAll(keepingCapacity: true)
    }
}

/// A place in a buffered column between two rows.
private struct PagePosition {
    var row = 0
    /// Values before it: rows without the nulls.
    var value = 0
    /// Bytes before it in the column's PLAIN values.
    var byte = 0

    /// Moves behind the last row of the next page.
    mutating func advance(in buffer: ColumnBuffer) {
        let rowLimit = min(row + ColumnChunkEncoder.pageRowCount, buffer.rowCount)
        let byteLimit = byte + ColumnChunkEncoder.pageByteCount
        let type = buffer.column.type.physicalType
        while row < rowLimit, byte < byteLimit {
            if !buffer.column.isOptional || buffer.levels[row] == 1 {
                value += 1
                switch type {
                case .boolean: byte += 1
                case .int32: byte += 4
                case .int64, .double: byte += 8
                case .byteArray: if !buffer.usesDictionary { byte += buffer.plain.byteArraySize(at: byte) }
                }
            }
            row += 1
        }
    }
}
