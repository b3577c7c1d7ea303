import Foundation
import SwiftCSV

/// A table in CSV whose first line names the columns.
public struct CSVTable: Sendable, Equatable {
    /// The names in their order, in lower case, with hyphens for underscores, and without spaces around them.
    public let columns: [String]
    /// Of each row, the texts of its columns that are not empty, without spaces around them.
    public let rows: [[String: String]]

    /// - Parameter known: the columns that the table may have; nil for any.
    public init(_ text: String, columns known: [String]? = nil) throws(CSVTableError) {
        let text = text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text
        try CSVQuotes.check(text)
        let table: CSV<Enumerated>
        do {
            table = try CSV<Enumerated>(string: text, loadColumns: false)
        } catch CSVParseError.generic(let message), CSVParseError.quotation(let message) {
            throw CSVTableError(line: 1, reason: "not CSV: \(message)")
        } catch {
            throw CSVTableError(line: 1, reason: "not CSV: \(error)")
        }
        // A row with more fields than columns would lose the last ones without a word.
        for (index, row) in table.rows.enumerated() where row.count > table.header.count {
            throw CSVTableError(
                line: 1, reason: "row \(index + 1) has \(row.count) fields for \(table.header.count) columns")
        }
        let names = table.header.map {
            $0.trimmingCharacters(in: .whitespaces).lowercased().replacing("_", with: "-")
        }
        for name in names where known?.contains(name) == false {
            throw CSVTableError(
                line: 1,
                reason: "no column \(name.isEmpty ? "without a name" : name): "
                    + (known ?? []).joined(separator: ", "))
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw CSVTableError(line: 1, reason: "the column \(twice) stands there twice")
        }
        columns = names
        rows = table.rows.map { row in
            var values: [String: String] = [:]
            for (field, name) in zip(row, names) {
                let text = field.trimmingCharacters(in: .whitespaces)
                if !text.isEmpty { values[name] = text }
            }
            return values
        }
    }
}

/// The reason why a text is not the expected table in CSV.
public struct CSVTableError: Error, Equatable, Sendable {
    /// Counts from one.
    public let line: Int
    public let reason: String

    public init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }
}
