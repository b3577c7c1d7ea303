/// A destination of limited capacity to which bytes are appended. Encoders are generic over it, so one
/// encoder serves buffers of every size.
public protocol ByteSink: ~Copyable {
    var freeCount: Int { get }

    /// Appends all of `bytes`, or nothing if they do not fit.
    mutating func append(_ bytes: Span<UInt8>) throws(CapacityError)

    mutating func append(_ byte: UInt8) throws(CapacityError)
}

/// Thrown when the destination is full.
public struct CapacityError: Error, Equatable {
    public init() {}
}

extension ByteSink where Self: ~Copyable {
    @inlinable
    public mutating func append(littleEndian value: UInt16) throws(CapacityError) {
        try append(integer: UInt64(value), byteCount: 2)
    }

    @inlinable
    public mutating func append(littleEndian value: UInt32) throws(CapacityError) {
        try append(integer: UInt64(value), byteCount: 4)
    }

    @inlinable
    public mutating func append(littleEndian value: UInt64) throws(CapacityError) {
        try append(integer: value, byteCount: 8)
    }

    @inlinable
    public mutating func append(bigEndian value: UInt16) throws(CapacityError) {
        try append(littleEndian: value.byteSwapped)
    }

    @inlinable
    public mutating func append(bigEndian value: UInt32) throws(CapacityError) {
        try append(littleEndian: value.byteSwapped)
    }

    @inlinable
    public mutating func append(bigEndian value: UInt64) throws(CapacityError) {
        try append(littleEndian: value.byteSwapped)
    }

    @inlinable
    public mutating func append(_ value: Int8) throws(CapacityError) {
        try append(UInt8(bitPattern: value))
    }

    /// Appends text known at compile time, as UTF-8 without a terminator.
    @inline(never)
    @inlinable
    public mutating func append(_ text: StaticString) throws(CapacityError) {
        guard text.utf8CodeUnitCount <= freeCount else { throw CapacityError() }
        for index in 0..<text.utf8CodeUnitCount { try append(text.utf8Start[index]) }
    }

    @inlinable
    public mutating func append<let count: Int>(_ bytes: Bytes<count>) throws(CapacityError) {
        try append(bytes.span)
    }

    @inlinable
    mutating func append(integer: UInt64, byteCount: Int) throws(CapacityError) {
        let bytes: InlineArray<8, UInt8> = unsafeBitCast(integer.littleEndian, to: InlineArray<8, UInt8>.self)
        try append(bytes.span.extracting(0..<byteCount))
    }
}
