/// Values as JSON (RFC 8259), without a `JSONEncoder` for each of very many rows.
enum JSONText {
    static func value(_ value: ExportValue) -> String {
        switch value {
        case .missing: "null"
        case .text, .time: quoted(value.plainText)
        case .real(let number): number.isFinite ? "\(number)" : "null"
        case .integer, .truth: value.plainText
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1f}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
