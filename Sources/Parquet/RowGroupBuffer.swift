/// The rows of the current row group, and the row that is being appended.
///
/// Swift checks each access to a stored property of a class at run time. With this structure, the writer
/// makes only one access for each value.
struct RowGroupBuffer {
    private(set) var columns: [ColumnBuffer]
    /// Rows that have ended.
    private(set) var rowCount = 0
    /// The columns' types. A look-up in `columns` copies a buffer and retains its arrays, which is slow.
    private let accepted: [(type: ParquetType, isOptional: Bool)]
    /// The size of all strings and binary values in PLAIN encoding.
    private(set) var byteCount = 0
    /// Whether the file is finished, or an error left it incomplete.
    var isClosed = false
    /// The column that takes the next value.
    private var nextColumn = 0

    init(_ schema: ParquetSchema) {
        columns = schema.columns.map(ColumnBuffer.init)
        accepted = schema.columns.map { ($0.type, $0.isOptional) }
    }

    mutating func append(_ value: some FixedWidthInteger, _ type: ParquetType) throws(ParquetError) {
        try check(type)
        columns[nextColumn].append(value)
        nextColumn += 1
    }

    mutating func append(_ value: UnsafeRawBufferPointer, _ type: ParquetType) throws(ParquetError) {
        try check(type)
        guard value.count <= ParquetWriter.maximumValueByteCount else {
            throw .valueTooLong(column: columns[nextColumn].column.name, byteCount: value.count)
        }
        columns[nextColumn].append(value)
        byteCount += value.count + 4
        nextColumn += 1
    }

    mutating func appendNull() throws(ParquetError) {
        try check(nil)
        columns[nextColumn].appendNull()
        nextColumn += 1
    }

    mutating func endRow() throws(ParquetError) {
        try checkOpen()
        guard nextColumn == accepted.count else { throw incompleteRow }
        nextColumn = 0
        rowCount += 1
    }

    /// Throws unless the file can end here.
    func checkBetweenRows() throws(ParquetError) {
        try checkOpen()
        guard nextColumn == 0 else { throw incompleteRow }
    }

    /// Decides the encoding of a column whose row group is complete.
    mutating func chooseEncoding(column: Int) { columns[column].chooseEncoding() }

    mutating func removeAll() {
        for column in columns.indices { columns[column].removeAll() }
        byteCount = 0
        rowCount = 0
    }

    private var incompleteRow: ParquetError {
        nextColumn < columns.count
            ? .rowIncomplete(nextColumn: columns[nextColumn].column.name) : .rowNotEnded
    }

    private func checkOpen() throws(ParquetError) {
        guard !isClosed else { throw .writerClosed }
    }

    /// Throws unless the next column takes values of this type, or nulls if the type is nil.
    private func check(_ type: ParquetType?) throws(ParquetError) {
        try checkOpen()
        guard nextColumn < accepted.count else { throw .rowTooLong }
        let next = accepted[nextColumn]
        guard type == nil ? next.isOptional : type == next.type else { throw refusal(of: type) }
    }

    private func refusal(of type: ParquetType?) -> ParquetError {
        let column = columns[nextColumn].column
        guard let type else { return .nullInRequiredColumn(column.name) }
        return .typeMismatch(column: column.name, expected: column.type, appended: type)
    }
}
