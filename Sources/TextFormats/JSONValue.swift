/// JSON (RFC 8259) as written: numbers keep their digits and members their order, and a repeated name is an
/// error. Foundation's parsers offer none of this, and conformance needs it.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// The number as written: `1.0` is not `1`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// The value of the object's member with this name.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// The whole number, if it is written in plain form: no `-0`, no fraction, no exponent.
    public func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value? {
        guard case .number(let digits) = self, let value = Value(digits), String(value) == digits else {
            return nil
        }
        return value
    }

    /// The JSON as a file of one line.
    public var line: [UInt8] { Array((text + "\n").utf8) }

    /// The JSON text without white space; slashes and letters beyond ASCII are not escaped.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// A text as JSON has it, with its quotes.
    public static func quoted(_ value: String) -> String {
        var text = ""
        write(value, to: &text)
        return text
    }

    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

public struct JSONMember: Equatable, Sendable {
    public let name: String
    public let value: JSONValue

    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}
