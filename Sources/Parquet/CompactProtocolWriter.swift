/// Encodes structures for page headers and the footer (Apache Thrift compact protocol).
struct CompactProtocolWriter {
    enum ElementType: UInt8 {
        case integer32 = 5
        case binary = 8
        case structure = 12
    }

    private(set) var bytes: [UInt8] = []
    /// The field before in the structure that is being written: headers hold differences.
    private var previousField = 0

    /// Encodes one structure by itself.
    static func structure(_ body: (inout Self) -> Void) -> [UInt8] {
        var thrift = Self()
        body(&thrift)
        thrift.bytes.append(0)
        return thrift.bytes
    }

    mutating func boolean(_ field: Int, _ value: Bool) {
        header(field, value ? 1 : 2)
    }

    /// Writes an i32 or an enumeration.
    mutating func integer32(_ field: Int, _ value: Int) {
        header(field, ElementType.integer32.rawValue)
        element(value)
    }

    mutating func integer64(_ field: Int, _ value: Int) {
        header(field, 6)
        element(value)
    }

    mutating func binary(_ field: Int, _ value: [UInt8]) {
        header(field, ElementType.binary.rawValue)
        element(value)
    }

    mutating func string(_ field: Int, _ value: String) {
        binary(field, Array(value.utf8))
    }

    mutating func structure(_ field: Int, _ body: (inout Self) -> Void) {
        header(field, ElementType.structure.rawValue)
        element(body)
    }

    mutating func list<Element>(
        _ field: Int, of type: ElementType, _ elements: [Element], _ body: (inout Self, Element) -> Void
    ) {
        listHeader(field, of: type, count: elements.count)
        for element in elements { body(&self, element) }
    }

    /// Writes a list whose elements are encoded already.
    mutating func list(_ field: Int, of type: ElementType, count: Int, encoded: [UInt8]) {
        listHeader(field, of: type, count: count)
        bytes += encoded
    }

    /// Writes an integer as an element of a list: the zigzag form of i32 and i64.
    mutating func element(_ value: Int) {
        bytes.appendVarint(UInt64(bitPattern: Int64((value << 1) ^ (value >> (Int.bitWidth - 1)))))
    }

    mutating func element(_ value: [UInt8]) {
        bytes.appendVarint(UInt64(value.count))
        bytes += value
    }

    mutating func element(_ body: (inout Self) -> Void) {
        let outerField = previousField
        previousField = 0
        body(&self)
        bytes.append(0)
        previousField = outerField
    }

    private mutating func listHeader(_ field: Int, of type: ElementType, count: Int) {
        header(field, 9)
        if count < 15 {
            bytes.append(UInt8(truncatingIfNeeded: count << 4) | type.rawValue)
        } else {
            bytes.append(0xf0 | type.rawValue)
            bytes.appendVarint(UInt64(count))
        }
    }

    private mutating func header(_ field: Int, _ type: UInt8) {
        let difference = field - previousField
        if (1...15).contains(difference) {
            bytes.append(UInt8(truncatingIfNeeded: difference << 4) | type)
        } else {
            bytes.append(type)
            element(field)
        }
        previousField = field
    }
}
