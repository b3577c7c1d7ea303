import Reports

/// One part of a long list: so many rows, and links to the parts before and after it.
public struct PageCut: Sendable {
    public static let rowCount = 100
    static let maximumNumber = 100_000
    static let field = "page"

    /// From 1 on.
    public let number: Int
    private var seenCount = 0
    /// Whether there are rows after this part.
    public private(set) var hasMore = false

    /// - Returns: nil if the page's number is none.
    public init?(_ fields: FieldList) {
        guard let text = fields.text(Self.field) else {
            number = 1
            return
        }
        guard let number = Int(text), (1...Self.maximumNumber).contains(number) else { return nil }
        self.number = number
    }

    public enum Use {
        case skip, take
        /// No further row is needed.
        case stop
    }

    /// What to do with the next row.
    public mutating func next() -> Use {
        seenCount += 1
        if seenCount <= (number - 1) * Self.rowCount { return .skip }
        if seenCount <= number * Self.rowCount { return .take }
        hasMore = true
        return .stop
    }

    /// "rows 101 to 200, and there are more"; empty if the list has one part.
    public func text(shown: Int) -> String {
        guard number > 1 || hasMore else { return "" }
        guard shown > 0 else { return "no more rows" }
        let first = (number - 1) * Self.rowCount + 1
        return "rows \(first) to \(first + shown - 1)"
            + (hasMore ? ", and there are more" : ", the last ones")
    }

    public func links(_ path: String, _ fields: FieldList) -> String {
        var links: [String] = []
        if number > 1 { links.append(Self.link(path, fields, number - 1, "Previous rows", "prev")) }
        if hasMore { links.append(Self.link(path, fields, number + 1, "Next rows", "next")) }
        guard !links.isEmpty else { return "" }
        return "<nav class=\"cut\" aria-label=\"Parts of the list\">\(links.joined(separator: " "))</nav>\n"
    }

    private static func link(
        _ path: String, _ fields: FieldList, _ number: Int, _ title: String, _ relation: String
    ) -> String {
        let query = fields.query(replacing: field, with: "\(number)")
        return "<a rel=\"\(relation)\" href=\"\(path)?\(Markup.escaped(query))\">\(title)</a>"
    }
}
