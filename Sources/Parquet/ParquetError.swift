/// Why a table could not be written.
public enum ParquetError: Error {
    case noColumns
    case invalidColumnName(String)
    case duplicateColumnName(String)
    /// The value's type is not that of the next column.
    case typeMismatch(column: String, expected: ParquetType, appended: ParquetType)
    case nullInRequiredColumn(String)
    /// A value was appended after the row's last column, before `endRow()`.
    case rowTooLong
    /// The row ended before it had a value, or a null, for each column. The name is that of the first
    /// without.
    case rowIncomplete(nextColumn: String)
    /// The file ended after a row's last value, before `endRow()`.
    case rowNotEnded
    /// A string or binary value has more bytes than `ParquetWriter.maximumValueByteCount`.
    case valueTooLong(column: String, byteCount: Int)
    /// The file has so many row groups that its footer exceeds 2 GiB.
    case footerTooLong
    /// zstd had no memory.
    case compressionFailed
    /// The sink threw this error. The output is incomplete.
    case sinkFailed(any Error)
    /// The writer has finished, or failed before.
    case writerClosed
}

extension ParquetError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noColumns: "a Parquet schema needs at least one column"
        case .invalidColumnName(let name): "column name \"\(name)\": expected a name without dots"
        case .duplicateColumnName(let name):
            "column \"\(name)\" exists twice: names must differ in more than case"
        case .typeMismatch(let column, let expected, let appended):
            "column \"\(column)\" holds \(expected) values, not \(appended)"
        case .nullInRequiredColumn(let column):
            "column \"\(column)\" is not optional, so it cannot hold a null"
        case .rowTooLong: "the row has more values than the schema has columns"
        case .rowIncomplete(let column): "the row has no value for column \"\(column)\""
        case .rowNotEnded: "the last row has all values, but has not ended"
        case .valueTooLong(let column, let byteCount):
            "a value in column \"\(column)\" has \(byteCount) bytes: the limit is 1 GiB"
        case .footerTooLong: "the footer exceeds 2 GiB: use more rows for each row group"
        case .compressionFailed: "zstd could not compress a page: it probably had no memory"
        case .sinkFailed(let error): "the Parquet file could not be written: \(error)"
        case .writerClosed: "the Parquet file is already finished, or writing it failed before"
        }
    }
}
