import Archive
import TextFormats

/// All tables as JSON Lines: first an object with the provenance, then one for each row, with the table's
/// name as `table`. Every key of a table is always present; missing values are null.
public struct JSONLinesFile {
    let provenance: Provenance
    let tables: [ExportTable]

    public init(_ provenance: Provenance, tables: [ExportTable] = ExportTable.all) {
        self.provenance = provenance
        self.tables = tables
    }

    public func write(_ network: ContactNetwork, to output: ExportOutput) throws {
        output.write("{\"table\":\"export\",\"provenance\":\(provenance.line)}\n")
        for table in tables {
            let keys = table.fields.map { ",\(JSONValue.quoted($0.name)):" }
            let start = "{\"table\":\(JSONValue.quoted(table.name))"
            try table.rows(network) { row in
                output.write(start)
                for (key, value) in zip(keys, row) { output.write(key + JSONText.value(value)) }
                output.write("}\n")
                return output.works
            }
        }
        try output.finish()
    }
}
