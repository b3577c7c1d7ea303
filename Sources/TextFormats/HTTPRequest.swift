/// An HTTP request in its wire format (RFC 9112): the request that a phone would have sent to its authority,
/// in a file.
public struct HTTPRequest: Equatable, Sendable {
    public struct Field: Equatable, Sendable {
        public let name: String
        public let value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public let method: String
    public let path: String
    /// The header fields without the body's length, which follows from the body.
    public private(set) var fields: [Field]
    public let body: [UInt8]

    public init(method: String, path: String, fields: [Field], body: [UInt8]) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }

    /// The value of the field with this name, in upper or lower case; nil unless there is exactly one.
    public subscript(name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values[0].value : nil
    }

    public var encoded: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    /// Parses exactly one request. Nil for anything else, for an incomplete request, and for a chunked body.
    public init?(parsing bytes: [UInt8]) {
        guard let end = Self.endOfHead(bytes),
            let head = String(validating: bytes[..<end], as: UTF8.self)
        else { return nil }
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst() else { return nil }
        let parts = first.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), parts[2] == "HTTP/1.1" else { return nil }
        method = String(parts[0])
        path = String(parts[1])
        var fields: [Field] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append(Field(String(line[..<colon]), String(value)))
        }
        body = Array(bytes[(end + 4)...])
        self.fields = fields
        guard self["Transfer-Encoding"] == nil, self["Content-Length"] == "\(body.count)" else { return nil }
        self.fields.removeAll { $0.name.lowercased() == "content-length" }
    }

    /// The length of request line and fields; nil if no empty line ends them.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        return bytes.indices.dropLast(3).first { bytes[$0..<$0 + 4].elementsEqual(mark) }
    }
}
