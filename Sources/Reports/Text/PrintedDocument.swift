import Foundation

/// The JSON output of commands for programs.
public enum PrintedJSON {
    /// Encodes in UTF-8 with a final line feed. Equal values give equal bytes.
    public static func data(_ value: some Encodable) throws -> Data {
        try encoder.encode(value) + Data("\n".utf8)
    }

    /// An array that is printed element by element.
    public struct Elements {
        private let encoder = PrintedJSON.encoder
        private var isFirst = true

        public init() {}

        /// The bytes of the next element, and before the first one those that open the array.
        public mutating func next(_ element: some Encodable) throws -> Data {
            var data = Data((isFirst ? "[\n" : ",\n").utf8)
            isFirst = false
            let lines = try encoder.encode(element).split(
                separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            data += Data(
                lines.map { Data(($0.isEmpty ? "" : "  ").utf8) + $0 }.joined(separator: Data("\n".utf8)))
            return data
        }

        /// The bytes that close the array.
        public var end: Data { Data((isFirst ? "[\n\n]\n" : "\n]\n").utf8) }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// A document that prints as JSON, and its rows also as CSV. Later versions only add fields; they never
/// rename or remove one. Every key is always present; unknown values are null.
public protocol PrintedDocument: Encodable, Sendable {
    static var columns: [String] { get }
    /// The fields in the order of the columns; empty if unknown.
    var rows: [[String]] { get }
}

extension PrintedDocument {
    public func json() throws -> Data { try PrintedJSON.data(self) }

    /// RFC 4180: a header line, and empty fields for unknown values.
    public var csv: String { ([Self.columns] + rows).map { CSVLine($0).text }.joined() }
}

extension Double {
    var roundedToTenths: Double { (self * 10).rounded() / 10 }
}
