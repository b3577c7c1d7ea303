import Foundation
import TextFormats

/// Values as JSON (RFC 8259), without a `JSONEncoder` for each of very many rows.
enum JSONText {
    /// A document of texts, numbers and truth values on one line, with sorted keys.
    static func line(_ document: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON can hold all of these values.
        return (try? encoder.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    static func value(_ value: ExportValue) -> String {
        switch value {
        case .missing: "null"
        case .text, .time: JSONValue.quoted(value.plainText)
        case .real(let number): number.isFinite ? "\(number)" : "null"
        case .integer, .truth: value.plainText
        }
    }
}
