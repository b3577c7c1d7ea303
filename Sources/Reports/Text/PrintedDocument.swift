import Foundation

/// The JSON output of commands for programs.
public enum PrintedJSON {
    /// Encodes in UTF-8 with a final line feed. Equal values give equal bytes.
    public static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
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
    public var csv: String { ([Self.columns] + rows).map(EncounterCSV.line).joined() }
}

extension Double {
    var roundedToTenths: Double { (self * 10).rounded() / 10 }
}
