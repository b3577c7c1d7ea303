/// A block of exactly `count` bytes, stored in place.
///
/// Its members are inlinable, as those of ``FixedBuffer`` are. Otherwise an ordinary host build would copy
/// byte by byte through generic code, about a hundred times slower.
public struct Bytes<let count: Int>: BitwiseCopyable, Equatable, Sendable {
    public var storage: InlineArray<count, UInt8>

    /// Makes a block of zeros.
    @inlinable
    public init() { storage = .init(repeating: 0) }

    /// Copies `bytes`; nil unless there are exactly `count` of them.
    @inlinable
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count == count else { return nil }
        storage = InlineArray { bytes[$0] }
    }

    public subscript(index: Int) -> UInt8 {
        @inlinable get { storage[index] }
        @inlinable set { storage[index] = newValue }
    }

    // Every getter in this project that lends memory stored in place is transparent. Otherwise the
    // optimiser of the board build may copy `self` to the stack and lend that copy after its lifetime
    // (docs/board-build.md).
    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span }
    }

    public var mutableSpan: MutableSpan<UInt8> {
        @inlinable @_lifetime(&self) mutating get { storage.mutableSpan }
    }

    /// Compares in constant time, so it is safe for secrets.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        var difference: UInt8 = 0
        for index in 0..<count { difference |= left.storage[index] ^ right.storage[index] }
        return difference == 0
    }
}
