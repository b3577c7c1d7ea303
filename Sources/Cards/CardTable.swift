import Foundation
import SwiftCSV

/// A table with a line for each card, in CSV: the first line names the columns, as the options of
/// `tabardctl prepare` are named.
public struct CardTable: Sendable {
    /// One card: a text for each column that is not empty.
    public struct Row: Sendable, Equatable {
        /// Counts from one, without the line of names.
        public let number: Int
        public let values: [String: String]

        public subscript(_ column: String) -> String? { values[column] }
    }

    public static let columns = ["role", "venue-number", "name", "area", "url", "country", "state", "set"]

    public let rows: [Row]

    public init(text: String) throws(CardError) {
        let table: CSV<Named>
        do {
            table = try CSV<Named>(string: text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text)
        } catch {
            throw .table(line: 1, "not CSV: \(error)")
        }
        let names = table.header.map {
            $0.trimmingCharacters(in: .whitespaces).lowercased().replacing("_", with: "-")
        }
        for name in names where !Self.columns.contains(name) {
            throw .table(
                line: 1,
                "no column \(name.isEmpty ? "without a name" : name): \(Self.columns.joined(separator: ", "))"
            )
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw .table(line: 1, "the column \(twice) stands there twice")
        }
        rows = table.rows.enumerated().map { index, row in
            var values: [String: String] = [:]
            for (column, name) in zip(table.header, names) {
                let text = (row[column] ?? "").trimmingCharacters(in: .whitespaces)
                if !text.isEmpty { values[name] = text }
            }
            return Row(number: index + 1, values: values)
        }
        guard !rows.isEmpty else { throw .table(line: 2, "no card") }
    }
}
