import FixedMemory

// CBOR (RFC 8949) in its shortest form. An item that does not fit throws and may leave its head in the
// sink; the caller then drops the packet.
extension ByteSink where Self: ~Copyable {
    public mutating func append(cborUnsigned value: UInt64) throws(CapacityError) {
        try append(cborHead: 0, value)
    }

    public mutating func append(cborBytes bytes: Span<UInt8>) throws(CapacityError) {
        try append(cborHead: 2, UInt64(truncatingIfNeeded: bytes.count))
        try append(bytes)
    }

    /// Appends a text string; `text` must be UTF-8.
    public mutating func append(cborText text: Span<UInt8>) throws(CapacityError) {
        try append(cborHead: 3, UInt64(truncatingIfNeeded: text.count))
        try append(text)
    }

    @inline(never)
    public mutating func append(cborText text: StaticString) throws(CapacityError) {
        try append(cborHead: 3, UInt64(truncatingIfNeeded: text.utf8CodeUnitCount))
        try append(text)
    }

    /// Appends the head of an array; its `count` items must follow.
    public mutating func append(cborArray count: Int) throws(CapacityError) {
        try append(cborHead: 4, UInt64(truncatingIfNeeded: count))
    }

    /// Appends the head of a map; its `count` keys and values must follow.
    public mutating func append(cborMap count: Int) throws(CapacityError) {
        try append(cborHead: 5, UInt64(truncatingIfNeeded: count))
    }

    @inline(never)
    public mutating func append(key: StaticString, unsigned value: UInt64) throws(CapacityError) {
        try append(cborText: key)
        try append(cborUnsigned: value)
    }

    @inline(never)
    public mutating func append(key: StaticString, bytes: Span<UInt8>) throws(CapacityError) {
        try append(cborText: key)
        try append(cborBytes: bytes)
    }

    @inline(never)
    public mutating func append(key: StaticString, text: Span<UInt8>) throws(CapacityError) {
        try append(cborText: key)
        try append(cborText: text)
    }

    public mutating func append(key: StaticString, text: StaticString) throws(CapacityError) {
        try append(cborText: key)
        try append(cborText: text)
    }

    @inline(never)
    private mutating func append(cborHead majorType: UInt8, _ argument: UInt64) throws(CapacityError) {
        let type = majorType << 5
        if argument < 24 {
            try append(type | UInt8(truncatingIfNeeded: argument))
        } else if argument <= 0xFF {
            try append(type | 24)
            try append(UInt8(truncatingIfNeeded: argument))
        } else if argument <= 0xFFFF {
            try append(type | 25)
            try append(bigEndian: UInt16(truncatingIfNeeded: argument))
        } else if argument <= 0xFFFF_FFFF {
            try append(type | 26)
            try append(bigEndian: UInt32(truncatingIfNeeded: argument))
        } else {
            try append(type | 27)
            try append(bigEndian: argument)
        }
    }
}
