/// The metadata at the end of a file (parquet.thrift: FileMetaData).
///
/// Row groups are encoded when they are complete, so the memory for each is small.
struct FileFooter {
    /// The file begins and ends with these bytes.
    static let magic = Array("PAR1".utf8)

    let schema: ParquetSchema
    let keyValueMetadata: [(key: String, value: String)]
    let createdBy: String
    private var rowGroups: [UInt8] = []
    private var rowGroupCount = 0

    init(schema: ParquetSchema, keyValueMetadata: [(key: String, value: String)], createdBy: String) {
        self.schema = schema
        self.createdBy = createdBy
        let descriptions = schema.columns.compactMap { column in
            column.description.map { (key: "description.\(column.name)", value: $0) }
        }
        self.keyValueMetadata = keyValueMetadata + descriptions
    }

    mutating func append(_ chunks: [ColumnChunk], rowCount: Int) {
        rowGroups += CompactProtocolWriter.structure { rowGroup in
            rowGroup.list(1, of: .structure, chunks) { $1.write(to: &$0) }
            rowGroup.integer64(2, chunks.reduce(0) { $0 + $1.uncompressedByteCount })
            rowGroup.integer64(3, rowCount)
            rowGroup.integer64(5, chunks.first?.offset ?? 0)
            rowGroup.integer64(6, chunks.reduce(0) { $0 + $1.compressedByteCount })
        }
        rowGroupCount += 1
    }

    /// Encodes the footer with its length and the file's last four bytes.
    func encoded(rowCount: Int) throws(ParquetError) -> [UInt8] {
        var bytes = CompactProtocolWriter.structure { file in
            file.integer32(1, 1)
            writeSchema(to: &file)
            file.integer64(3, rowCount)
            file.list(4, of: .structure, count: rowGroupCount, encoded: rowGroups)
            if !keyValueMetadata.isEmpty {
                file.list(5, of: .structure, keyValueMetadata) { list, pair in
                    list.element {
                        $0.string(1, pair.key)
                        $0.string(2, pair.value)
                    }
                }
            }
            file.string(6, createdBy)
            // Each column has the order of its type. Without this, readers ignore the bounds of strings.
            file.list(7, of: .structure, schema.columns) { list, _ in
                list.element { $0.structure(1) { _ in } }
            }
        }
        guard let length = Int32(exactly: bytes.count) else { throw .footerTooLong }
        bytes.appendLittleEndian(length)
        return bytes + Self.magic
    }

    private func writeSchema(to file: inout CompactProtocolWriter) {
        file.list(2, of: .structure, count: schema.columns.count + 1, encoded: schemaElements)
    }

    /// The root, then each column (parquet.thrift: SchemaElement).
    private var schemaElements: [UInt8] {
        let root = CompactProtocolWriter.structure {
            $0.string(4, "schema")
            $0.integer32(5, schema.columns.count)
        }
        return schema.columns.reduce(root) { elements, column in
            elements
                + CompactProtocolWriter.structure {
                    $0.integer32(1, column.type.physicalType.rawValue)
                    $0.integer32(3, column.isOptional ? 1 : 0)
                    $0.string(4, column.name)
                    if let type = column.type.convertedType { $0.integer32(6, type) }
                    column.type.writeLogicalType(field: 10, to: &$0)
                }
        }
    }
}
