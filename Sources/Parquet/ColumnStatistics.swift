/// Null count and bounds, with which readers skip row groups (parquet.thrift: Statistics).
struct ColumnStatistics: Equatable {
    struct Bounds: Equatable {
        var minimum: [UInt8]
        var maximum: [UInt8]
    }

    /// Strings with more bytes have no bounds: the file would repeat much of its data in the footer.
    static let maximumBoundByteCount = 64

    var nullCount: Int
    /// Only for doubles.
    var nanCount: Int?
    /// The least and greatest value in PLAIN encoding, byte arrays without their length. Nil if there is no
    /// value, or if a value is NaN: readers disagree on its order, so they must not skip the row group.
    var bounds: Bounds?

    init(of buffer: ColumnBuffer) {
        nullCount = buffer.nullCount
        let values = buffer.plain.span.bytes
        switch buffer.column.type.physicalType {
        case .boolean: bounds = Self.integerBounds(values, UInt8.self)
        case .int32: bounds = Self.integerBounds(values, Int32.self)
        case .int64: bounds = Self.integerBounds(values, Int64.self)
        case .double: (bounds, nanCount) = Self.doubleBounds(values)
        case .byteArray:
            // Each entry of the dictionary is a value of the row group.
            bounds = Self.byteArrayBounds(buffer.usesDictionary ? buffer.dictionary.entries : buffer.plain)
        }
    }

    func write(field: Int, to thrift: inout CompactProtocolWriter) {
        thrift.structure(field) { statistics in
            statistics.integer64(3, nullCount)
            if let bounds {
                statistics.binary(5, bounds.maximum)
                statistics.binary(6, bounds.minimum)
                statistics.boolean(7, true)
                statistics.boolean(8, true)
            }
            if let nanCount { statistics.integer64(9, nanCount) }
        }
    }

    private static func integerBounds<Value: FixedWidthInteger & BitwiseCopyable>(
        _ values: RawSpan, _: Value.Type
    ) -> Bounds? {
        guard !values.isEmpty else { return nil }
        var minimum = Value.max
        var maximum = Value.min
        for offset in stride(from: 0, to: values.byteCount, by: MemoryLayout<Value>.size) {
            let value = Value(
                littleEndian: values.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
            minimum = min(minimum, value)
            maximum = max(maximum, value)
        }
        return Bounds(minimum: plain(minimum), maximum: plain(maximum))
    }

    private static func doubleBounds(_ values: RawSpan) -> (Bounds?, nanCount: Int) {
        var minimum = Double.infinity
        var maximum = -Double.infinity
        var nanCount = 0
        for offset in stride(from: 0, to: values.byteCount, by: MemoryLayout<Double>.size) {
            let pattern = values.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let value = Double(bitPattern: UInt64(littleEndian: pattern))
            if value < minimum { minimum = value }
            if value > maximum { maximum = value }
            if value.isNaN { nanCount += 1 }
        }
        guard !values.isEmpty, nanCount == 0 else { return (nil, nanCount) }
        // The two zeros are equal, so each bound is the outer one (parquet.thrift: ColumnOrder).
        if minimum == 0 { minimum = -0.0 }
        if maximum == 0 { maximum = 0.0 }
        return (Bounds(minimum: plain(minimum.bitPattern), maximum: plain(maximum.bitPattern)), 0)
    }

    private static func byteArrayBounds(_ values: [UInt8]) -> Bounds? {
        guard !values.isEmpty else { return nil }
        var minimum = 4..<values.byteArraySize(at: 0)
        var maximum = minimum
        var offset = minimum.upperBound
        values.withUnsafeBytes { bytes in
            while offset < values.count {
                let value = (offset + 4)..<(offset + values.byteArraySize(at: offset))
                if bytes[value].lexicographicallyPrecedes(bytes[minimum]) { minimum = value }
                if bytes[maximum].lexicographicallyPrecedes(bytes[value]) { maximum = value }
                offset = value.upperBound
            }
        }
        guard max(minimum.count, maximum.count) <= maximumBoundByteCount else { return nil }
        return Bounds(minimum: Array(values[minimum]), maximum: Array(values[maximum]))
    }

    private static func plain(_ value: some FixedWidthInteger) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(value)
        return bytes
    }
}
