/// A block of exactly `count` bytes, stored in place.
///
/// Inlinable, as ``FixedBuffer`` is: a computer's build would otherwise copy byte by byte through generic code, a hundred
/// times as slowly.
public struct Bytes<let count: Int>: BitwiseCopyable, Equatable, Sendable {
    public var storage: InlineArray<count, UInt8>

    /// All zero.
    @inlinable
    public init() { storage = .init(repeating: 0) }

    /// A copy of `bytes`; nil unless there are exactly `count` of them.
    @inlinable
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count == count else { return nil }
        storage = InlineArray { bytes[$0] }
    }

    public subscript(index: Int) -> UInt8 {
        @inlinable get { storage[index] }
        @inlinable set { storage[index] = newValue }
    }

    // Transparent, as every getter in this project that lends memory stored in place: otherwise the optimiser of the
    // board build may copy `self` to the stack and lend that copy after it is gone (docs/board-build.md).
    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span }
    }

    public var mutableSpan: MutableSpan<UInt8> {
        @inlinable @_lifetime(&self) mutating get { storage.mutableSpan }
    }

    /// Takes the same time wherever the first difference is: fit for secrets.
    @inlinable
    public static func == (left: Self, right: Self) -> Bool {
        var difference: UInt8 = 0
        for index in 0..<count { difference |= left.storage[index] ^ right.storage[index] }
        return difference == 0
    }
}
