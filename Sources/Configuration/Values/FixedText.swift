import FixedMemory

/// UTF-8 text of fewer than `capacity` bytes, stored in place. A zero byte always follows it, so it can be
/// passed to C without a copy.
public struct FixedText<let capacity: Int>: BitwiseCopyable, Equatable, Sendable {
    public let storage: FixedBuffer<capacity>

    public static var maximumByteCount: Int { capacity - 1 }

    /// Makes an empty text.
    public init() { storage = FixedBuffer() }

    /// Copies `text`; nil if it is too long, contains a zero byte or is not UTF-8.
    public init?(_ text: Span<UInt8>) {
        guard text.count < capacity, let copy = FixedBuffer<capacity>(text) else { return nil }
        for index in text.indices where text[index] == 0 { return nil }
        guard text.firstInvalidUTF8Offset == nil else { return nil }
        storage = copy
    }

    /// Copies `text`, which must fit.
    public init(_ text: StaticString) {
        var copy = FixedBuffer<capacity>()
        precondition(text.utf8CodeUnitCount < capacity)
        for index in 0..<text.utf8CodeUnitCount { try? copy.append(text.utf8Start[index]) }
        storage = copy
    }

    public var count: Int { storage.count }
    public var isEmpty: Bool { storage.isEmpty }

    /// The bytes without the terminator.
    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span }
    }

    /// Calls `body` with the text as a C string. The pointer is valid only during the call.
    public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        storage.storageSpan.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else {
                preconditionFailure("a text has room for its terminator")
            }
            return body(start.assumingMemoryBound(to: CChar.self))
        }
    }
}

extension Span where Element == UInt8 {
    /// The offset of the first byte that is not valid UTF-8; nil if all bytes are valid.
    var firstInvalidUTF8Offset: Int? {
        @inline(never) get {
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: self)
                return nil
            } catch {
                return error.byteOffsets.lowerBound
            }
        }
    }

    func starts(with prefix: StaticString) -> Bool {
        guard count >= prefix.utf8CodeUnitCount else { return false }
        return extracting(0..<prefix.utf8CodeUnitCount).isEqual(to: prefix)
    }

    func ends(with ending: StaticString) -> Bool {
        let length = ending.utf8CodeUnitCount
        return count >= length && extracting(count - length..<count).isEqual(to: ending)
    }

    /// Returns the bytes after `prefix`; nil if the bytes do not begin with it.
    @_lifetime(copy self)
    func dropping(prefix: StaticString) -> Span<UInt8>? {
        guard starts(with: prefix) else { return nil }
        return extracting(prefix.utf8CodeUnitCount..<count)
    }

    func firstOffset(of byte: UInt8) -> Int? {
        for index in indices where self[index] == byte { return index }
        return nil
    }

    func lastOffset(of byte: UInt8) -> Int? {
        for index in indices.reversed() where self[index] == byte { return index }
        return nil
    }
}
