/// A column of an exported table.
public struct ExportField: Sendable {
    public enum Kind: Sendable {
        case text
        case integer
        case real
        case truth
        /// Milliseconds since 1970 UTC; in text formats RFC 3339.
        case time
    }

    /// In lower case with underscores, and the unit last.
    public let name: String
    public let kind: Kind
    /// Whether a row may lack the value.
    public let mayBeMissing: Bool
    /// One sentence for the dictionary of columns.
    public let meaning: String

    init(_ name: String, _ kind: Kind, mayBeMissing: Bool = false, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.mayBeMissing = mayBeMissing
        self.meaning = meaning
    }
}
