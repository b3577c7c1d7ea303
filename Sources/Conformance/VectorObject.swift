import Authority
import FixedMemory
import TextFormats

/// An object of a vector file, read field by field. A field that no check has read at the end is unknown, and
/// an error.
///
/// Each value can be written in one way only; every other way is an error, too. A field that can be changed
/// without effect proves nothing.
final class VectorObject {
    /// Fields for human readers, which programs ignore.
    private static let informative: Set<String> = [
        "scheme", "source", "sources", "note", "name", "algorithm", "hex_case", "matches_official",
        "all_144_match", "official_vectors", "short_value",
    ]

    let path: String
    private let members: [JSONMember]
    private var taken: Set<String> = []

    init(_ value: JSONValue, path: String) throws(VectorError) {
        guard case .object(let members) = value else {
            throw VectorError(path: path, reason: "not an object")
        }
        self.path = path
        self.members = members
    }

    func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    func error(_ name: String, _ reason: String) -> VectorError {
        VectorError(path: path(of: name), reason: reason)
    }

    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    /// The names of all fields except those for human readers.
    var names: [String] { members.map(\.name).filter { !Self.informative.contains($0) } }

    func value(_ name: String) throws(VectorError) -> JSONValue {
        guard let member = members.first(where: { $0.name == name }) else {
            throw error(name, "is missing")
        }
        taken.insert(name)
        return member.value
    }

    /// The text of a field for human readers.
    func informativeText(_ name: String) -> String? {
        members.first { $0.name == name }?.value.string
    }

    /// - Throws: for the first field that no check has read.
    func finish() throws(VectorError) {
        if let name = names.first(where: { !taken.contains($0) }) {
            throw error(name, "unknown field")
        }
    }

    // MARK: Inputs of a computation

    func text(_ name: String) throws(VectorError) -> String {
        guard let text = try value(name).string else { throw error(name, "not a text") }
        return text
    }

    func integer<Value: FixedWidthInteger>(
        _ name: String, _: Value.Type = Value.self
    ) throws(VectorError) -> Value {
        guard let value = try value(name).integer(Value.self) else {
            throw error(name, "not a whole number from \(Value.min) to \(Value.max)")
        }
        return value
    }

    func bool(_ name: String) throws(VectorError) -> Bool {
        guard case .bool(let value) = try value(name) else { throw error(name, "neither true nor false") }
        return value
    }

    func bytes(_ name: String, uppercase: Bool = false) throws(VectorError) -> [UInt8] {
        guard let bytes = Hexadecimal.bytes(try text(name), uppercase: uppercase) else {
            throw error(name, "not \(uppercase ? "upper" : "lower")-case hexadecimal")
        }
        return bytes
    }

    func block<let count: Int>(_ name: String, uppercase: Bool = false) throws(VectorError) -> Bytes<count> {
        guard let block = Bytes<count>(try bytes(name, uppercase: uppercase)) else {
            throw error(name, "not \(count) bytes")
        }
        return block
    }

    func base64(_ name: String) throws(VectorError) -> [UInt8] {
        guard let bytes = Base64.bytes(try text(name)) else {
            throw error(name, "not padded base64")
        }
        return bytes
    }

    func base64Block<let count: Int>(_ name: String) throws(VectorError) -> Bytes<count> {
        guard let block = Bytes<count>(try base64(name)) else { throw error(name, "not \(count) bytes") }
        return block
    }

    func object(_ name: String) throws(VectorError) -> VectorObject {
        try VectorObject(try value(name), path: path(of: name))
    }

    /// - Throws: also for an empty array, because a section without cases proves nothing.
    func objects(_ name: String) throws(VectorError) -> [VectorObject] {
        guard let values = try value(name).array, !values.isEmpty else { throw error(name, "no cases") }
        var objects: [VectorObject] = []
        for (index, value) in values.enumerated() {
            objects.append(try VectorObject(value, path: "\(path(of: name))[\(index)]"))
        }
        return objects
    }

    // MARK: Results of a computation

    func expect(_ name: String, _ computed: String) throws(VectorError) {
        let stated = try text(name)
        guard stated == computed else { throw error(name, "is \(stated), computed \(computed)") }
    }

    func expect(_ name: String, _ computed: [UInt8], uppercase: Bool = false) throws(VectorError) {
        try expect(name, Hexadecimal.text(computed, uppercase: uppercase))
    }

    func expect<let count: Int>(
        _ name: String, _ computed: Bytes<count>, uppercase: Bool = false
    ) throws(VectorError) {
        try expect(name, computed.array, uppercase: uppercase)
    }

    func expectBase64(_ name: String, _ computed: [UInt8]) throws(VectorError) {
        try expect(name, Base64.text(computed))
    }

    func expect(_ name: String, _ computed: some FixedWidthInteger) throws(VectorError) {
        guard case .number(let stated) = try value(name) else { throw error(name, "not a number") }
        guard stated == String(computed) else { throw error(name, "is \(stated), computed \(computed)") }
    }

    func expect(_ name: String, _ computed: Bool) throws(VectorError) {
        let stated = try bool(name)
        guard stated == computed else { throw error(name, "is \(stated), computed \(computed)") }
    }
}
