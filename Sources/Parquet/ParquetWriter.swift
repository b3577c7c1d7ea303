/// Writes a flat table as a Parquet file, row by row (Apache Parquet format, parquet.thrift).
///
/// Append a value or a null for each column in the schema's order, then call `endRow()`. Call `finish()`
/// after the last row: without it, the file has no footer and cannot be read. The memory is that of one row
/// group, and some hundred bytes for each column of each row group that is complete.
///
/// The same rows and parameters give the same bytes, as long as the version of zstd is the same.
///
///     let schema = try ParquetSchema([
///         ParquetColumn("time", .timestamp), ParquetColumn("rssi_dbm", .int32, isOptional: true),
///     ])
///     let writer = try ParquetWriter(schema, createdBy: "tabardctl version 0.9") { try file.write($0) }
///     try writer.append(millisecondsSince1970: 1_607_469_600_000)
///     try writer.append(Int32(-67))
///     try writer.endRow()
///     try writer.finish()
public final class ParquetWriter {
    /// Receives the file's bytes, piece by piece and in order. A piece is at most a column of a row group.
    public typealias Sink = ([UInt8]) throws -> Void

    /// The rows of a row group unless the caller chooses: some megabytes of memory.
    public static let defaultRowGroupRowCount = 1 << 16
    /// A row group ends early when its strings and binary values have this size, to limit the memory.
    public static let rowGroupByteCount = 64 << 20
    /// The limit of a string or binary value. The size of a page is a signed 32-bit integer.
    public static let maximumValueByteCount = 1 << 30

    public let schema: ParquetSchema
    /// The rows that have ended.
    public private(set) var rowCount = 0
    /// The bytes that were given to the sink.
    public private(set) var byteCount = 0

    private let sink: Sink
    private let rowGroupRowCount: Int
    private var rows: RowGroupBuffer
    private var encoder: ColumnChunkEncoder
    private var footer: FileFooter

    /// - Parameters:
    ///   - schema: The columns.
    ///   - keyValueMetadata: Texts about the file, such as its provenance as JSON. The order is kept, and the
    ///     columns' descriptions follow.
    ///   - createdBy: The program, as "application version 1.2 (build abc)". Readers look for known errors of
    ///     a version.
    ///   - compression: For all pages.
    ///   - rowGroupRowCount: Rows of a row group; at least 1 and at most 2³¹ − 1, else it is limited.
    ///   - sink: Receives the file's bytes, in order.
    /// - Throws: `ParquetError.compressionFailed` if zstd has no memory.
    public init(
        _ schema: ParquetSchema, keyValueMetadata: [(key: String, value: String)] = [], createdBy: String,
        compression: ParquetCompression = .zstd(level: 3),
        rowGroupRowCount: Int = ParquetWriter.defaultRowGroupRowCount, sink: @escaping Sink
    ) throws(ParquetError) {
        self.schema = schema
        self.sink = sink
        self.rowGroupRowCount = min(max(rowGroupRowCount, 1), Int(Int32.max))
        rows = RowGroupBuffer(schema)
        encoder = try ColumnChunkEncoder(compression)
        encoder.output = FileFooter.magic
        footer = FileFooter(schema: schema, keyValueMetadata: keyValueMetadata, createdBy: createdBy)
    }

    /// Appends a value to the next column; nil is a null.
    ///
    /// - Throws: `ParquetError`; the writer is as before, so another value may be appended instead. This
    ///   holds for all methods that append.
    public func append(_ value: Bool?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        try rows.append(value ? 1 as UInt8 : 0, .boolean)
    }

    public func append(_ value: Int32?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        try rows.append(value, .int32)
    }

    public func append(_ value: Int64?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        try rows.append(value, .int64)
    }

    public func append(_ value: Double?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        try rows.append(value.bitPattern, .double)
    }

    public func append(daysSince1970 value: Int32?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        try rows.append(value, .date)
    }

    public func append(millisecondsSince1970 value: Int64?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        try rows.append(value, .timestamp)
    }

    public func append(_ value: String?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        let span = value.utf8.span
        try span.withUnsafeBytes { (bytes) throws(ParquetError) in try rows.append(bytes, .string) }
    }

    public func append(_ value: ArraySlice<UInt8>?) throws(ParquetError) {
        guard let value else { return try rows.appendNull() }
        try value.span.withUnsafeBytes { (bytes) throws(ParquetError) in try rows.append(bytes, .binary) }
    }

    public func append(_ value: [UInt8]?) throws(ParquetError) { try append(value.map { $0[...] }) }

    public func appendNull() throws(ParquetError) { try rows.appendNull() }

    /// Ends a row. The row group is given to the sink if it is complete.
    ///
    /// - Throws: `ParquetError.rowIncomplete` if columns have no value yet; they may be appended. After any
    ///   other error the writer is closed.
    public func endRow() throws(ParquetError) {
        try rows.endRow()
        rowCount += 1
        if rows.rowCount >= rowGroupRowCount || rows.byteCount >= Self.rowGroupByteCount {
            try writeRowGroup()
        }
    }

    /// Writes the last row group and the footer. The file is complete after it.
    ///
    /// - Throws: `ParquetError.rowIncomplete` or `rowNotEnded` if a row has begun and not ended. After any
    ///   other error the writer is closed.
    public func finish() throws(ParquetError) {
        try rows.checkBetweenRows()
        if rows.rowCount > 0 { try writeRowGroup() }
        rows.isClosed = true
        encoder.output += try footer.encoded(rowCount: rowCount)
        try writeOutput()
    }

    private func writeRowGroup() throws(ParquetError) {
        // Closed until all is written: an error leaves a file that cannot be continued.
        rows.isClosed = true
        var chunks: [ColumnChunk] = []
        for column in schema.columns.indices {
            rows.chooseEncoding(column: column)
            chunks.append(try encoder.encode(rows.columns[column], at: byteCount + encoder.output.count))
            try writeOutput()
        }
        footer.append(chunks, rowCount: rows.rowCount)
        rows.removeAll()
        rows.isClosed = false
    }

    private func writeOutput() throws(ParquetError) {
        do {
            try sink(encoder.output)
        } catch {
            throw .sinkFailed(error)
        }
        byteCount += encoder.output.count
        encoder.output.removeAll(keepingCapacity: true)
    }
}
