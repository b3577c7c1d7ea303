import Archive
import Foundation
import Parquet

/// A table as an Apache Parquet file with zstd: times are timestamps in UTC with milliseconds, and missing
/// values are null. The file's key-value metadata has the provenance and the meaning of each column.
public struct ParquetTableFile {
    let table: ExportTable
    let provenance: Provenance

    public init(_ table: ExportTable, _ provenance: Provenance) {
        self.table = table
        self.provenance = provenance
    }

    /// - Returns: the number of rows.
    @discardableResult
    public func write(_ network: ContactNetwork, to output: ExportOutput) throws -> Int {
        let columns = table.fields.map { field in
            ParquetColumn(
                field.name, field.kind.parquetType, isOptional: field.mayBeMissing,
                description: field.meaning)
        }
        let writer = try ParquetWriter(
            try ParquetSchema(columns), keyValueMetadata: [("provenance", provenance.line)],
            createdBy: provenance.tool.replacing("tabardctl ", with: "tabardctl version ")
        ) { output.write($0) }
        var count = 0
        var failure: ParquetError?
        try table.rows(network) { row in
            do throws(ParquetError) {
                for value in row { try writer.append(value) }
                try writer.endRow()
            } catch {
                failure = error
                return false
            }
            count += 1
            return output.works
        }
        if let failure { throw failure }
        if output.works { try writer.finish() }
        try output.finish()
        return count
    }
}

extension ExportField.Kind {
    fileprivate var parquetType: ParquetType {
        switch self {
        case .text: .string
        case .integer: .int64
        case .real: .double
        case .truth: .boolean
        case .time: .timestamp
        }
    }
}

extension ParquetWriter {
    fileprivate func append(_ value: ExportValue) throws(ParquetError) {
        switch value {
        case .missing: try appendNull()
        case .text(let text): try append(text)
        case .integer(let number): try append(number)
        case .real(let number): try append(number)
        case .truth(let value): try append(value)
        case .time(let milliseconds): try append(millisecondsSince1970: milliseconds)
        }
    }
}
