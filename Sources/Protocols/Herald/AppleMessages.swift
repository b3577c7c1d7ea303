import FixedMemory

/// One message in Apple's manufacturer data.
public struct AppleMessage: ~Escapable {
    public let type: UInt8
    /// The bytes after the type, and after the length if the message has one.
    public let data: Span<UInt8>

    /// The type of the overflow area: a mask of 16 bytes with the services of apps in the background. It has
    /// no length byte and extends to the end of the data.
    public static let overflow: UInt8 = 0x01

    @inline(__always)
    @_lifetime(copy data)
    init(type: UInt8, data: Span<UInt8>) {
        self.type = type
        self.data = data
    }
}

/// The messages in Apple's manufacturer data, front to back: type (1), length (1), data. A length beyond the
/// end, or a missing length, ends the sequence; the messages before it stay valid.
public struct AppleMessages: ~Escapable {
    private var rest: Span<UInt8>

    /// `data`: the bytes after the manufacturer's identifier.
    @inline(__always)
    @_lifetime(copy data)
    public init(_ data: Span<UInt8>) { rest = data }

    @inline(__always)
    @_lifetime(copy self)
    public mutating func next() -> AppleMessage? {
        guard let type = rest.takeFirst(1) else { return nil }
        if type[0] == AppleMessage.overflow {
            let mask = rest
            rest = Span()
            return AppleMessage(type: type[0], data: mask)
        }
        guard let length = rest.takeFirst(1), let data = rest.takeFirst(Int(length[0])) else {
            rest = Span()
            return nil
        }
        return AppleMessage(type: type[0], data: data)
    }
}
