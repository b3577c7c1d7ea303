/// Parses one JSON text, all of it.
public struct JSONReader {
    /// Deeper than anything we read, and harmless.
    private static let maximumDepth = 32

    private let bytes: [UInt8]
    private var offset = 0

    public static func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes)
        // RFC 8259 lets readers ignore a mark, and some editors write one.
        reader.offset = ByteOrderMark.skipped(bytes[...]).startIndex
        let value = try reader.readValue(depth: 0)
        reader.skipSpace()
        guard reader.offset == bytes.count else { throw reader.error("data after the end") }
        return value
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func error(_ reason: String) -> JSONError { JSONError(byteOffset: offset, reason: reason) }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw error("nested too deeply") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try readObject(depth: depth)
        case UInt8(ascii: "["): return try readArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        default: return try readNumber()
        }
    }

    private mutating func readWord(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard bytes[offset...].starts(with: word.utf8) else { throw error("expected a value") }
        offset += word.utf8.count
        return value
    }

    private mutating func readObject(depth: Int) throws(JSONError) -> JSONValue {
        offset += 1
        var members: [JSONMember] = []
        var names: Set<String> = []
        skipSpace()
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error("expected a member name") }
            let name = try readString()
            guard names.insert(name).inserted else { throw error("duplicate member name") }
            skipSpace()
            guard take(":") else { throw error("expected a colon") }
            members.append(JSONMember(name, try readValue(depth: depth + 1)))
            skipSpace()
        } while take(",")
        guard take("}") else { throw error("unterminated object") }
        return .object(members)
    }

    private mutating func readArray(depth: Int) throws(JSONError) -> JSONValue {
        offset += 1
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return .array([]) }
        repeat {
            values.append(try readValue(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("unterminated array") }
        return .array(values)
    }

    private mutating func readNumber() throws(JSONError) -> JSONValue {
        let start = offset
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try skipDigits()
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func skipDigits() throws(JSONError) {
        guard let first = next, isDigit(first) else { throw error("expected a value") }
        while let byte = next, isDigit(byte) { offset += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private mutating func readString() throws(JSONError) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw error("invalid UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): try readEscape(&text)
            case 0..<0x20: throw error("a control character")
            default: text.append(byte)
            }
        }
        throw error("unterminated string")
    }

    private mutating func readEscape(_ text: inout [UInt8]) throws(JSONError) {
        guard let byte = next else { throw error("unterminated string") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += Array(String(Character(try readScalar())).utf8)
        default: throw error("invalid escape")
        }
    }

    private mutating func readScalar() throws(JSONError) -> Unicode.Scalar {
        var code = try readUnit()
        if 0xd800...0xdbff ~= code, take("\\"), take("u") {
            let low = try readUnit()
            guard 0xdc00...0xdfff ~= low else { throw error("unpaired surrogate") }
            code = 0x1_0000 + (code - 0xd800) << 10 + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw error("unpaired surrogate") }
        return scalar
    }

    private mutating func readUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Hexadecimal.value(ofDigit: byte) else {
                throw error("invalid escape")
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }
}

public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public let byteOffset: Int
    public let reason: String

    public var description: String { "not JSON at byte \(byteOffset): \(reason)" }
}
