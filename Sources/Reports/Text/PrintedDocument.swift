import Foundation

/// The JSON output of commands for programs.
public enum PrintedJSON {
    /// Encodes in UTF-8 with a final line feed. Equal values give equal bytes.
    public static func data(_ value: some Encodable) throws -> Data {
        try encoder.encode(value) + Data("\n".utf8)
    }

    /// Encodes a document with the member `schema`.
    public static func data(_ document: some Encodable, _ schema: PrintedSchema) throws -> Data {
        try data(Labelled(document: document, schema: schema.text))
    }

    /// Encodes a list with the member `schema`.
    public static func data<Row: PrintedRow>(rows: [Row]) throws -> Data {
        var list = List(Row.schema)
        return try rows.reduce(into: Data()) { $0 += try list.next($1) } + list.end
    }

    /// A list that is printed row by row: an object with `schema` and an array.
    public struct List {
        private let encoder = PrintedJSON.encoder
        private let schema: PrintedSchema
        private var isFirst = true

        public init(_ schema: PrintedSchema) { self.schema = schema }

        /// The bytes of the next row, and before the first one those that open the array.
        public mutating func next(_ row: some Encodable) throws -> Data {
            var data = isFirst ? opening : Data(",\n".utf8)
            isFirst = false
            let lines = try encoder.encode(row).split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            data += Data(
                lines.map { Data(($0.isEmpty ? "" : "    ").utf8) + $0 }.joined(separator: Data("\n".utf8)))
            return data
        }

        /// The bytes that close the array.
        public var end: Data { (isFirst ? opening : Data("\n".utf8)) + Data("  ]\n}\n".utf8) }

        private var opening: Data {
            Data("{\n  \"schema\" : \"\(schema.text)\",\n  \"\(schema.listName)\" : [\n".utf8)
        }
    }

    /// A document among whose members is the name of its schema.
    private struct Labelled<Document: Encodable>: Encodable {
        let document: Document
        let schema: String

        private enum CodingKeys: String, CodingKey { case schema }

        func encode(to encoder: any Encoder) throws {
            try document.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(schema, forKey: .schema)
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// A document that prints as JSON, and its rows also as CSV. Every member is always present; unknown values
/// are null.
public protocol PrintedDocument: Encodable, Sendable {
    static var schema: PrintedSchema { get }
    static var columns: [String] { get }
    /// The fields in the order of the columns; empty if unknown.
    var rows: [[String]] { get }
}

extension PrintedDocument {
    public func json() throws -> Data { try PrintedJSON.data(self, Self.schema) }

    /// RFC 4180: a header line, and empty fields for unknown values.
    public var csv: String { ([Self.columns] + rows).map { CSVLine($0).text }.joined() }
}

extension Double {
    var roundedToTenths: Double { (self * 10).rounded() / 10 }
}
