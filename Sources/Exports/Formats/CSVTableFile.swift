import Archive
import Reports

/// A table as CSV (RFC 4180): a header line, UTC, and empty fields for missing values.
public struct CSVTableFile {
    let table: ExportTable

    public init(_ table: ExportTable) { self.table = table }

    /// - Returns: the number of rows.
    @discardableResult
    public func write(_ network: ContactNetwork, to output: ExportOutput) throws -> Int {
        var count = 0
        output.write(CSVLine(table.fields.map(\.name)).utf8)
        try table.rows(network) { row in
            output.write(CSVLine(row.map(\.plainText)).utf8)
            count += 1
            return output.works
        }
        try output.finish()
        return count
    }
}
