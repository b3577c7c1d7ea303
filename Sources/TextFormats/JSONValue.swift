/// JSON (RFC 8259) as it stands: numbers keep their digits, members their order, and a name that comes twice is an error.
/// Foundation's readers know none of that, and conformance must.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// As written: `1.0` is not `1`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// An object's member with this name.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

    /// A whole number, written as whole numbers are: no `-0`, no fraction, no exponent.
    public func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value? {
        guard case .number(let digits) = self, let value = Value(digits), String(value) == digits else {
            return nil
        }
        return value
    }

    /// As a file, with one line.
    public var line: [UInt8] { Array((text + "\n").utf8) }

    /// Without white space; slashes and letters beyond ASCII as they are.
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
