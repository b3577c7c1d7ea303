/// The type of a column's values.
public enum ParquetType: String, Sendable, CaseIterable {
    case boolean
    case int32
    case int64
    case double
    /// UTF-8 text.
    case string
    /// Bytes without a meaning for readers.
    case binary
    /// Days since 1970-01-01.
    case date
    /// Milliseconds since 1970-01-01 00:00:00 UTC. Readers show an instant in UTC.
    ///
    /// Several readers keep microseconds, so they refuse values beyond about 290,000 years from 1970.
    case timestamp
}

/// How the values of a type are stored (parquet.thrift: Type).
enum PhysicalType: Int {
    case boolean = 0
    case int32 = 1
    case int64 = 2
    case double = 5
    case byteArray = 6
}

extension ParquetType {
    var physicalType: PhysicalType {
        switch self {
        case .boolean: .boolean
        case .int32, .date: .int32
        case .int64, .timestamp: .int64
        case .double: .double
        case .string, .binary: .byteArray
        }
    }

    /// The older annotation, which readers from before LogicalType need (parquet.thrift: ConvertedType).
    var convertedType: Int? {
        switch self {
        case .string: 0
        case .date: 6
        case .timestamp: 9
        case .boolean, .int32, .int64, .double, .binary: nil
        }
    }

    /// Writes the annotation as a field, if the type has one (parquet.thrift: LogicalType).
    func writeLogicalType(field: Int, to thrift: inout CompactProtocolWriter) {
        switch self {
        case .string: thrift.structure(field) { $0.structure(1) { _ in } }
        case .date: thrift.structure(field) { $0.structure(6) { _ in } }
        case .timestamp:
            thrift.structure(field) { logicalType in
                logicalType.structure(8) { timestamp in
                    timestamp.boolean(1, true)
                    timestamp.structure(2) { unit in unit.structure(1) { _ in } }
                }
            }
        case .boolean, .int32, .int64, .double, .binary: break
        }
    }
}
