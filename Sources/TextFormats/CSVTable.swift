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
        let table: CSV<Named>
        do {
            table = try CSV<Named>(string: text)
            try Self.checkLengths(text, table.header.count)
        } catch let error as CSVTableError {
            throw error
        } catch CSVParseError.generic(let message), CSVParseError.quotation(let message) {
            throw CSVTableError(line: 1, reason: "not CSV: \(message)")
        } catch {
            throw CSVTableError(line: 1, reason: "not CSV: \(error)")
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
            for (column, name) in zip(table.header, names) {
                let text = (row[column] ?? "").trimmingCharacters(in: .whitespaces)
                if !text.isEmpty { values[name] = text }
            }
            return values
        }
    }

    /// A row with more fields than columns would lose the last ones without a word.
    private static func checkLengths(_ text: String, _ columnCount: Int) throws {
        for (index, row) in try CSV<Enumerated>(string: text, loadColumns: false).rows.enumerated()
        where row.count > columnCount {
            throw CSVTableError(
                line: 1, reason: "row \(index + 1) has \(row.count) fields for \(columnCount) columns")
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
