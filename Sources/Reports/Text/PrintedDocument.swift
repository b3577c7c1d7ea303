import Foundation

/// What a command prints for programs.
enum PrintedJSON {
    /// In UTF-8, with a line feed at its end; the same bytes for the same value.
    static func data(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }
}

/// One that is JSON as a whole, and CSV as far as it has rows. Fields are added to it, never renamed or removed; every key is
/// always there, and what is not known is null.
public protocol PrintedDocument: Encodable, Sendable {
    static var columns: [String] { get }
    /// In the columns' order; empty what is not known.
    var rows: [[String]] { get }
}

extension PrintedDocument {
    public func json() throws -> Data { try PrintedJSON.data(self) }

    /// RFC 4180, a header line, an empty field for what is not known.
    public var csv: String { ([Self.columns] + rows).map(EncounterCSV.line).joined() }
}

extension Double {
    var roundedToTenths: Double { (self * 10).rounded() / 10 }
}
