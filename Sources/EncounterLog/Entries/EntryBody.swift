import FixedMemory

/// The body of an entry, which follows its kind and length. A later version may append fields: a reader uses
/// those that it knows and ignores the rest.
protocol EntryBody: BitwiseCopyable {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError)
    init(from fields: inout FieldReader) throws(MalformedField)
}

/// A body that ends too early, or has a number outside its type's range.
struct MalformedField: Error {}

extension ByteSink where Self: ~Copyable {
    /// Appends LEB128: seven bits a byte, least significant first, the top bit set on all but the last.
    mutating func append(leb128 value: UInt64) throws(CapacityError) {
        var rest = value
        while rest > 0x7f {
            try append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        try append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(leb128 value: UInt32) throws(CapacityError) { try append(leb128: UInt64(value)) }
}

/// Reads the fields of one entry's body.
struct FieldReader: ~Escapable {
    private var reader: ByteReader

    @_lifetime(copy body)
    init(_ body: Span<UInt8>) { reader = ByteReader(body) }

    /// Whether no bytes are left; fields that later versions added are then absent.
    var isAtEnd: Bool { reader.remainingCount == 0 }

    mutating func readUInt8() throws(MalformedField) -> UInt8 {
        do { return try reader.readUInt8() } catch { throw MalformedField() }
    }

    mutating func readUInt16() throws(MalformedField) -> UInt16 {
        do { return try reader.readUInt16() } catch { throw MalformedField() }
    }

    mutating func readUInt32() throws(MalformedField) -> UInt32 {
        do { return try reader.readUInt32() } catch { throw MalformedField() }
    }

    mutating func readUInt64() throws(MalformedField) -> UInt64 {
        do { return try reader.readUInt64() } catch { throw MalformedField() }
    }

    mutating func readBlock<let count: Int>() throws(MalformedField) -> Bytes<count> {
        do { return try reader.readBlock() } catch { throw MalformedField() }
    }

    @_lifetime(copy self)
    mutating func readBytes(_ count: Int) throws(MalformedField) -> Span<UInt8> {
        guard count <= reader.remainingCount else { throw MalformedField() }
        do { return try reader.readBytes(count) } catch { throw MalformedField() }
    }

    @_lifetime(copy self)
    mutating func readRest() -> Span<UInt8> { reader.readRest() }

    /// Reads a LEB128 length and that many bytes, at most 512.
    mutating func readData() throws(MalformedField) -> FixedBuffer<512> {
        let byteCount = try readLEB128UInt32()
        guard byteCount <= 512,
            let data = FixedBuffer<512>(try readBytes(Int(truncatingIfNeeded: byteCount)))
        else { throw MalformedField() }
        return data
    }

    mutating func readLEB128UInt64() throws(MalformedField) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try readUInt8()
            let bits = UInt64(byte & 0x7f)
            let shifted = bits &<< shift
            guard shifted &>> shift == bits else { throw MalformedField() }
            value |= shifted
            if byte & 0x80 == 0 { return value }
        }
        throw MalformedField()
    }

    mutating func readLEB128UInt32() throws(MalformedField) -> UInt32 {
        let value = try readLEB128UInt64()
        guard value <= 0xffff_ffff else { throw MalformedField() }
        return UInt32(truncatingIfNeeded: value)
    }

    mutating func readLEB128UInt16() throws(MalformedField) -> UInt16 {
        let value = try readLEB128UInt64()
        guard value <= 0xffff else { throw MalformedField() }
        return UInt16(truncatingIfNeeded: value)
    }
}
