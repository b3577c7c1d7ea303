/// Reads the wire format of protocol buffers, as far as export files use it: numbered fields, nested no
/// deeper than their message. A library would add a dependency and generated code for five small messages,
/// whose format no longer changes.
struct ProtobufReader {
    enum Value: Equatable {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes([UInt8])
        case fixed32(UInt32)
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(Array(bytes)) }

    /// The next field; nil at the end.
    mutating func next() throws(ExportFileError) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let key = try readVarint()
        let number = key >> 3
        guard number != 0 else { throw .malformed }
        switch key & 7 {
        case 0: return (number, .varint(try readVarint()))
        case 1: return (number, .fixed64(try readFixed(byteCount: 8)))
        case 2:
            guard let count = Int(exactly: try readVarint()) else { throw .malformed }
            return (number, .bytes(Array(try take(count))))
        case 5: return (number, .fixed32(UInt32(truncatingIfNeeded: try readFixed(byteCount: 4))))
        default: throw .malformed
        }
    }

    private mutating func take(_ count: Int) throws(ExportFileError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformed }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func readFixed(byteCount: Int) throws(ExportFileError) -> UInt64 {
        try take(byteCount).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func readVarint() throws(ExportFileError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw .malformed }
            guard shift < 63 || byte <= 1 else { throw .malformed }
            value |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw .malformed
    }
}

/// Writes the wire format of protocol buffers, as far as export files use it.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: UInt64, varint value: UInt64?) {
        guard let value else { return }
        append(varint: number << 3)
        append(varint: value)
    }

    /// Appends a number; a negative one takes 64 bits, as in every implementation.
    mutating func append(_ number: UInt64, int32 value: Int32?) {
        append(number, varint: value.map { UInt64(bitPattern: Int64($0)) })
    }

    /// Appends a number in zig-zag encoding: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    mutating func append(_ number: UInt64, sint32 value: Int32?) {
        append(number, varint: value.map { UInt64(UInt32(bitPattern: $0 << 1 ^ $0 >> 31)) })
    }

    mutating func append(_ number: UInt64, fixed64 value: UInt64?) {
        guard let value else { return }
        append(varint: number << 3 | 1)
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func append(_ number: UInt64, bytes value: [UInt8]?) {
        guard let value else { return }
        append(varint: number << 3 | 2)
        append(varint: UInt64(value.count))
        bytes += value
    }

    mutating func append(_ number: UInt64, string value: String?) {
        append(number, bytes: value.map { Array($0.utf8) })
    }

    private mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

extension ProtobufReader.Value {
    var fixed64: UInt64? { if case .fixed64(let value) = self { value } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    var string: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }

    var int32: Int32? {
        guard case .varint(let value) = self else { return nil }
        return Int32(exactly: Int64(bitPattern: value))
    }

    var sint32: Int32? {
        guard case .varint(let value) = self, let bits = UInt32(exactly: value) else { return nil }
        return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
    }
}
