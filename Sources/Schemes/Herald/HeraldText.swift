import FixedMemory

/// UTF-8 text of up to 255 bytes, the capacity of one section of extended data.
public struct HeraldText: BitwiseCopyable, Equatable, Sendable {
    public private(set) var storage: FixedBuffer<255>

    /// An empty text.
    public init() { storage = FixedBuffer() }

    public init(_ text: Span<UInt8>) throws(HeraldPayloadError) {
        guard let copy = FixedBuffer<255>(text) else { throw .tooLong }
        guard text.utf8PrefixCount == text.count else { throw .notUTF8 }
        storage = copy
    }

    /// The longest valid UTF-8 prefix of `bytes` that fits, never ending within a character.
    init(cutting bytes: Span<UInt8>) {
        let fitting = bytes.extracting(0..<min(bytes.count, 255))
        storage = FixedBuffer(fitting.extracting(0..<fitting.utf8PrefixCount)) ?? FixedBuffer()
    }

    public var count: Int { storage.count }
    public var isEmpty: Bool { storage.isEmpty }

    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { storage.span }
    }
}

extension Span where Element == UInt8 {
    /// The length of the valid UTF-8 prefix, in whole characters.
    var utf8PrefixCount: Int {
        @inline(never) get {
            do throws(UTF8.ValidationError) {
                _ = try UTF8Span(validating: self)
                return count
            } catch {
                return error.byteOffsets.lowerBound
            }
        }
    }
}
