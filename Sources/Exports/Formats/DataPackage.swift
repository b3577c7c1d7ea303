import TextFormats

/// The dictionary of the columns of CSV files beside it: a Frictionless data package, `datapackage.json`.
public struct DataPackage {
    /// A file of the package.
    public struct File {
        public let name: String
        public let table: ExportTable
        public let byteCount: Int
        public let rowCount: Int
        /// SHA-256 in hexadecimal.
        public let digest: String

        public init(name: String, table: ExportTable, byteCount: Int, rowCount: Int, digest: String) {
            self.name = name
            self.table = table
            self.byteCount = byteCount
            self.rowCount = rowCount
            self.digest = digest
        }
    }

    let provenance: Provenance
    let files: [File]

    public static let fileName = "datapackage.json"

    public init(_ provenance: Provenance, _ files: [File]) {
        self.provenance = provenance
        self.files = files
    }

    /// UTF-8; equal packages give equal bytes.
    public var text: String {
        let resources = files.map { file in
            """
                {
                  "name": \(JSONValue.quoted(file.table.name)), "path": \(JSONValue.quoted(file.name)), \
            "profile": "tabular-data-resource",
                  "description": \(JSONValue.quoted(file.table.meaning)),
                  "format": "csv", "mediatype": "text/csv", "encoding": "utf-8", "bytes": \(file.byteCount),
                  "hash": "sha256:\(file.digest)", "rowCount": \(file.rowCount),
                  "schema": {"missingValues": [""], "fields": [
            \(file.table.fields.map(Self.field).joined(separator: ",\n"))
                  ]}
                }
            """
        }
        return """
            {
              "profile": "tabular-data-package",
              "name": "tabard-contacts",
              "title": "Contacts recorded by Tabard boards",
              "provenance": \(provenance.line),
              "resources": [
            \(resources.joined(separator: ",\n"))
              ]
            }

            """
    }

    private static func field(_ field: ExportField) -> String {
        let type =
            switch field.kind {
            case .text: "string"
            case .integer: "integer"
            case .real: "number"
            case .truth: "boolean"
            case .time: "datetime"
            }
        let constraint = field.mayBeMissing ? "" : ", \"constraints\": {\"required\": true}"
        return "        {\"name\": \(JSONValue.quoted(field.name)), \"type\": \"\(type)\"\(constraint), "
            + "\"description\": \(JSONValue.quoted(field.meaning))}"
    }
}
