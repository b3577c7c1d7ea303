extension Span where Element == UInt8 {
    /// Loads the little-endian integer that starts at `offset`, with one range check and one load.
    @inline(__always)
    public func loadUInt16(at offset: Int) -> UInt16 { load(at: offset) }

    @inline(__always)
    public func loadUInt32(at offset: Int) -> UInt32 { load(at: offset) }

    @inline(__always)
    public func loadUInt64(at offset: Int) -> UInt64 { load(at: offset) }

    /// Loads a six-byte little-endian integer, such as a device address.
    @inline(__always)
    public func loadUInt48(at offset: Int) -> UInt64 {
        UInt64(loadUInt32(at: offset)) | UInt64(loadUInt16(at: offset + 4)) << 32
    }

    @inline(__always)
    private func load<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
        Value(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
    }
}
