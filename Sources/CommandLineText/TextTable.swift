/// Rows in columns as wide as their longest cell, or fitted to the width of a terminal.
public struct TextTable {
    public struct Column: Sendable {
        /// The treatment of a column in a table that is too wide.
        public enum Narrowing: Equatable, Sendable {
            /// Stays whole: numbers, times, identifiers and short words.
            case whole
            /// Is left out; the lowest rank goes first.
            case dropped(rank: Int)
            /// Continues on further lines, of at least `minimum` characters.
            case wrapped(minimum: Int)
            /// Ends with "…", after at least `minimum` characters.
            case cut(minimum: Int)
            /// Stands on lines of its own below each row.
            case below
        }

        public let title: String
        public let isNumber: Bool
        let narrowing: Narrowing
        let isOptional: Bool

        /// - Parameter isOptional: a terminal does not show the column if it is 0 in all rows.
        public init(
            title: String, isNumber: Bool = false, narrowing: Narrowing = .whole, isOptional: Bool = false
        ) {
            self.title = title
            self.isNumber = isNumber
            self.narrowing = narrowing
            self.isOptional = isOptional
        }
    }

    public let columns: [Column]
    public private(set) var rows: [[String]] = []

    public init(_ columns: [Column]) { self.columns = columns }

    /// A line feed in a cell would look like a row.
    public mutating func append(_ row: [String]) {
        rows.append(row.map { PlainText.displayable($0).replacing("\n", with: "?") })
    }

    /// The whole table, as for files and programs.
    public func text() -> String { fitted(to: nil).text }

    /// - Parameter width: the terminal's; nil for the whole table.
    public func fitted(to width: Int?) -> FittedTable { FittedTable(self, width: width) }
}
