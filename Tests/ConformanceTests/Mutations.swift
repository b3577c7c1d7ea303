import Authority
import TextFormats

/// A value at the end of a path in a vector file, and ways to change it.
struct VectorLeaf {
    let path: String
    let isInformative: Bool
    let value: JSONValue
    /// Returns the whole file with another value at this path.
    let replacing: (JSONValue) -> JSONValue

    static let informative: Set<String> = [
        "scheme", "source", "sources", "note", "name", "algorithm", "hex_case", "matches_official",
        "all_144_match", "official_vectors", "short_value",
    ]

    static func all(of file: JSONValue) -> [VectorLeaf] {
        leaves(file, path: "", isInformative: false) { $0 }
    }

    private static func leaves(
        _ value: JSONValue, path: String, isInformative: Bool, _ replacing: @escaping (JSONValue) -> JSONValue
    ) -> [VectorLeaf] {
        switch value {
        case .object(let members):
            members.indices.flatMap { index in
                leaves(
                    members[index].value, path: "\(path).\(members[index].name)",
                    isInformative: isInformative || informative.contains(members[index].name)
                ) { changed in
                    var members = members
                    members[index] = JSONMember(members[index].name, changed)
                    return replacing(.object(members))
                }
            }
        case .array(let values):
            values.indices.flatMap { index in
                leaves(values[index], path: "\(path)[\(index)]", isInformative: isInformative) { changed in
                    var values = values
                    values[index] = changed
                    return replacing(.array(values))
                }
            }
        default: [VectorLeaf(path: path, isInformative: isInformative, value: value, replacing: replacing)]
        }
    }

    /// Other notations of the same value, and values close to it.
    var rewritings: [JSONValue] {
        switch value {
        case .null: [.bool(false)]
        case .bool(let value): [.bool(!value), .null, .number(value ? "1" : "0")]
        case .number(let digits):
            [
                .number(digits + ".0"), .number(digits + "e0"), .number(digits + "E+0"),
                .number(digits + "0"),
                .number(digits == "0" ? "-0" : "-" + digits), .string(digits), .null,
            ]
        case .string(let text):
            [
                .string(text + " "), .string(" " + text), .string(text + "\n"), .string(text + "="),
                .string(text + "00"), .string(String(text.dropLast())), .string(text.uppercased()),
                .string(text.lowercased()), .string("0x" + text), .null,
            ].filter { $0 != value }
        case .array, .object: []
        }
    }

    var byteCount: Int {
        switch value {
        case .number(let text), .string(let text): text.utf8.count
        default: 0
        }
    }

    /// The value with the byte at `offset` changed: each of its bits alone, and to each of the digits.
    func changes(at offset: Int) -> [JSONValue] {
        guard case .string(let text) = value else { return numberChanges(at: offset) }
        let bytes = Array(text.utf8)
        let others = (0..<8).map { bytes[offset] ^ 1 << $0 } + Array("0123456789abcdefABCDEF+/=".utf8)
        return Set(others).subtracting([bytes[offset]]).sorted().compactMap { other in
            var changed = bytes
            changed[offset] = other
            return String(validating: changed, as: UTF8.self).map(JSONValue.string)
        }
    }

    private func numberChanges(at offset: Int) -> [JSONValue] {
        guard case .number(let text) = value else { return [] }
        let digits = Array(text)
        return "0123456789-".filter { $0 != digits[offset] }.map { other in
            var changed = digits
            changed[offset] = other
            return .number(String(changed))
        }
    }
}

/// A vector file without one of its fields, cases or sections.
struct Removal {
    let path: String
    let isInformative: Bool
    /// The remaining file.
    let file: JSONValue

    static func all(of file: JSONValue) -> [Removal] { removals(file, path: "", isInformative: false) { $0 } }

    private static func removals(
        _ value: JSONValue, path: String, isInformative: Bool, _ replacing: @escaping (JSONValue) -> JSONValue
    ) -> [Removal] {
        switch value {
        case .object(let members):
            members.indices.flatMap { index in
                let member = members[index]
                let path = "\(path).\(member.name)"
                let isInformative = isInformative || VectorLeaf.informative.contains(member.name)
                var rest = members
                rest.remove(at: index)
                return [
                    Removal(path: path, isInformative: isInformative, file: replacing(.object(rest)))
                ]
                    + removals(member.value, path: path, isInformative: isInformative) { changed in
                        var members = members
                        members[index] = JSONMember(member.name, changed)
                        return replacing(.object(members))
                    }
            }
        case .array(let values):
            values.indices.flatMap { index in
                let path = "\(path)[\(index)]"
                var rest = values
                rest.remove(at: index)
                return [Removal(path: path, isInformative: isInformative, file: replacing(.array(rest)))]
                    + removals(values[index], path: path, isInformative: isInformative) { changed in
                        var values = values
                        values[index] = changed
                        return replacing(.array(values))
                    }
            }
        default: []
        }
    }
}
