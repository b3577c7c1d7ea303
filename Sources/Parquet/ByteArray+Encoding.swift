extension [UInt8] {
    /// Appends an integer as in PLAIN pages and before levels: little endian.
    mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends an unsigned variable-length integer (Parquet format, Encodings: ULEB-128).
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a length and bytes (Parquet format, Encodings: PLAIN of BYTE_ARRAY).
    mutating func appendByteArray(_ value: UnsafeRawBufferPointer) {
        appendLittleEndian(UInt32(truncatingIfNeeded: value.count))
        append(contentsOf: value)
    }

    /// The bytes that a PLAIN byte array at this offset takes, with its length.
    func byteArraySize(at offset: Int) -> Int {
        withUnsafeBytes { bytes in
            4 + Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Compares eight bytes at a time. Both must have the same count.
    func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 8 <= count {
            guard
                loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        while offset < count {
            guard self[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }
}
