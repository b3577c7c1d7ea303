/// A buffer of up to `capacity` bytes, stored in place. Its members are inlinable, as those of ``Bytes``
/// are.
public struct FixedBuffer<let capacity: Int>: ByteSink, BitwiseCopyable, Sendable {
    @usableFromInline var storage: InlineArray<capacity, UInt8>
    @usableFromInline var end = 0

    @inlinable
    public init() { storage = .init(repeating: 0) }

    /// Copies `bytes`; nil if they do not fit.
    @inlinable
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count <= capacity else { return nil }
        storage = InlineArray { $0 < bytes.count ? bytes[$0] : 0 }
        end = bytes.count
    }

    @inlinable public var count: Int { end }
    @inlinable public var freeCount: Int { capacity - end }
    @inlinable public var isEmpty: Bool { end == 0 }

    @inlinable
    public mutating func append(_ byte: UInt8) throws(CapacityError) {
        guard end < capacity else { throw CapacityError() }
        storage[end] = byte
        end += 1
    }

    @inlinable
    public mutating func append(_ bytes: Span<UInt8>) throws(CapacityError) {
        guard bytes.count <= freeCount else { throw CapacityError() }
        var target = storage.mutableSpan
        target.replace(at: end, with: bytes)
        end += bytes.count
    }

    @inlinable public mutating func removeAll() { end = 0 }

    /// Keeps only the first `newCount` bytes.
    @inlinable
    public mutating func truncate(to newCount: Int) {
        precondition(newCount <= end)
        end = newCount
    }

    /// A byte that was already appended. Encoders replace a length that is known only at the end.
    public subscript(index: Int) -> UInt8 {
        @inlinable get {
            precondition(index < end)
            return storage[index]
        }
        @inlinable set {
            precondition(index < end)
            storage[index] = newValue
        }
    }

    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span.extracting(0..<end) }
    }

    /// The whole storage, including the bytes past the end.
    public var storageSpan: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span }
    }
}

extension FixedBuffer: Equatable {
    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.span.isEqual(to: right.span) }
}

extension Span where Element == UInt8 {
    /// Whether both spans hold the same bytes. Not constant-time; for secrets compare ``Bytes``.
    public func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether the span holds exactly the bytes of `text`.
    public func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != text.utf8Start[index] { return false }
        return true
    }
}
