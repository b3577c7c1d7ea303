import TextFormats

/// Values as JSON (RFC 8259), without a `JSONEncoder` for each of very many rows.
enum JSONText {
    static func value(_ value: ExportValue) -> String {
        switch value {
        case .missing: "null"
        case .text, .time: JSONValue.quoted(value.plainText)
        case .real(let number): number.isFinite ? "\(number)" : "null"
        case .integer, .truth: value.plainText
        }
    }
}
