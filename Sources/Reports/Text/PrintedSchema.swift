/// The shape of a JSON output, which docs/json.md describes: what its members are called, and their meaning.
public struct PrintedSchema: Equatable, Sendable {
    /// In small letters, with hyphens.
    public let name: String
    /// A new member leaves the version as it is. One that is renamed, removed or means something else raises
    /// it.
    public let version: Int

    public init(_ name: String, version: Int = 1) {
        self.name = name
        self.version = version
    }

    /// The value of a document's member `schema`, such as `tabard-common-visits-1`.
    public var text: String { "tabard-\(name)-\(version)" }

    /// The member that has the rows of a list, such as `commonVisits`.
    var listName: String {
        let words = name.split(separator: "-")
        return words.prefix(1).joined()
            + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
    }
}

/// A row of a list that programs read. Every member is always present; unknown values are null.
public protocol PrintedRow: Encodable, Sendable {
    static var schema: PrintedSchema { get }
}
