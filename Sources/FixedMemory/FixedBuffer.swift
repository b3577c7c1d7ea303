/// Up to `capacity` bytes, stored in place.
public struct FixedBuffer<let capacity: Int>: ByteSink, BitwiseCopyable, Sendable {
    public private(set) var storage: InlineArray<capacity, UInt8>
    public private(set) var count = 0

    public init() { storage = .init(repeating: 0) }

    /// A copy of `bytes`, or nil when they do not fit.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count <= capacity else { return nil }
        storage = InlineArray { $0 < bytes.count ? bytes[$0] : 0 }
        count = bytes.count
    }

    public var freeCount: Int { capacity - count }
    public var isEmpty: Bool { count == 0 }

    public mutating func append(_ byte: UInt8) throws(CapacityError) {
        guard count < capacity else { throw CapacityError() }
        storage[count] = byte
        count += 1
    }

    public mutating func append(_ bytes: Span<UInt8>) throws(CapacityError) {
        guard bytes.count <= freeCount else { throw CapacityError() }
        for index in bytes.indices { storage[count + index] = bytes[index] }
        count += bytes.count
    }

    public mutating func removeAll() { count = 0 }

    /// Keeps the first `newCount` bytes.
    public mutating func truncate(to newCount: Int) {
        precondition(newCount <= count)
        count = newCount
    }

    /// Replaces a byte already appended: a length that is known only at the end.
    public subscript(index: Int) -> UInt8 {
        get {
            precondition(index < count)
            return storage[index]
        }
        set {
            precondition(index < count)
            storage[index] = newValue
        }
    }

    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span.extracting(0..<count) }
    }
}

extension FixedBuffer: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.span.isEqual(to: right.span) }
}

extension Span where Element == UInt8 {
    /// Whether both hold the same bytes. Not constant-time: see ``Bytes`` for secrets.
    public func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether these are exactly the bytes of `text`.
    public func isEqual(to text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        for index in indices where self[index] != text.utf8Start[index] { return false }
        return true
    }
}
