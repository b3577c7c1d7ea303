/// The fields of a query or a form, `application/x-www-form-urlencoded`.
public struct FieldList: Sendable, Equatable {
    /// Why a query cannot be read.
    public enum Problem: Error, Equatable {
        case tooLong
        case tooMany
        /// A percent sign without two digits, or bytes that are not UTF-8.
        case malformed
    }

    /// Longer queries come from nobody who fills in a form.
    static let maximumByteCount = 8_192
    private static let maximumCount = 64

    private var fields: [(name: String, value: String)] = []

    public static let empty = FieldList()

    private init() {}

    public init(_ text: String) throws(Problem) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        let parts = text.split(separator: "&")
        guard parts.count <= Self.maximumCount else { throw .tooMany }
        for part in parts {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count > 1 ? halves[1] : ""
            fields.append((try Self.decoded(halves[0]), try Self.decoded(value)))
        }
    }

    /// The first value with this name.
    public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The first value with this name that is not empty: a form sends its empty fields, too.
    public func text(_ name: String) -> String? {
        fields.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// Whether nothing was filled in.
    public var isEmpty: Bool { fields.allSatisfy { $0.value.isEmpty } }

    /// A query with the same fields, but another value of one of them.
    public func query(replacing name: String, with value: String) -> String {
        let rest = fields.filter { $0.name != name && !$0.value.isEmpty } + [(name, value)]
        return rest.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    public static func == (one: FieldList, other: FieldList) -> Bool {
        one.fields.elementsEqual(other.fields) { $0 == $1 }
    }

    private static func decoded(_ text: Substring) throws(Problem) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
                else { throw .malformed }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .malformed }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            guard byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) else {
                return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            return String(character)
        }.joined()
    }
}
