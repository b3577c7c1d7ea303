/// The footer's entry for a column chunk (parquet.thrift: ColumnChunk, ColumnMetaData).
struct ColumnChunk {
    let column: ParquetColumn
    let codec: Int
    /// Rows, nulls included.
    let rowCount: Int
    let statistics: ColumnStatistics
    /// From the start of the file.
    let offset: Int
    var dictionaryPageByteCount: Int?
    var dataPageCount = 0
    var dataEncoding = Encoding.plain
    /// Both counts include page headers.
    var uncompressedByteCount = 0
    var compressedByteCount = 0

    /// parquet.thrift: Encoding.
    enum Encoding: Int {
        case plain = 0
        case rle = 3
        case rleDictionary = 8
    }

    /// parquet.thrift: PageType.
    enum PageType: Int {
        case data = 0
        case dictionary = 2
    }

    private var encodings: [Encoding] {
        dictionaryPageByteCount == nil ? [.plain, .rle] : [.plain, .rle, .rleDictionary]
    }

    private var pageKinds: [(type: PageType, encoding: Encoding, count: Int)] {
        let data = (PageType.data, dataEncoding, dataPageCount)
        return dictionaryPageByteCount == nil ? [data] : [(.dictionary, .plain, 1), data]
    }

    /// Writes the chunk as an element of a row group's list.
    func write(to thrift: inout CompactProtocolWriter) {
        thrift.element { chunk in
            // The specification wants 0 here, because nothing is written at another place.
            chunk.integer64(2, 0)
            chunk.structure(3, writeMetadata)
        }
    }

    private func writeMetadata(to metadata: inout CompactProtocolWriter) {
        metadata.integer32(1, column.type.physicalType.rawValue)
        metadata.list(2, of: .integer32, encodings) { $0.element($1.rawValue) }
        metadata.list(3, of: .binary, [column.name]) { $0.element(Array($1.utf8)) }
        metadata.integer32(4, codec)
        metadata.integer64(5, rowCount)
        metadata.integer64(6, uncompressedByteCount)
        metadata.integer64(7, compressedByteCount)
        metadata.integer64(9, offset + (dictionaryPageByteCount ?? 0))
        if dictionaryPageByteCount != nil { metadata.integer64(11, offset) }
        statistics.write(field: 12, to: &metadata)
        metadata.list(13, of: .structure, pageKinds) { list, kind in
            list.element { pages in
                pages.integer32(1, kind.type.rawValue)
                pages.integer32(2, kind.encoding.rawValue)
                pages.integer32(3, kind.count)
            }
        }
    }
}
