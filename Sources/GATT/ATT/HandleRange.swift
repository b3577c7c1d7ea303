import FixedMemory

/// The inclusive range of attribute handles in a client's request.
public struct HandleRange: BitwiseCopyable, Equatable, Sendable {
    public let first: UInt16
    public let last: UInt16

    public init(_ first: UInt16, _ last: UInt16) {
        self.first = first
        self.last = last
    }

    init(_ reader: inout ByteReader) throws(EndOfBytes) {
        first = try reader.readUInt16()
        last = try reader.readUInt16()
    }

    public static let all = HandleRange(0x0001, 0xffff)

    /// Whether a server may serve the range: it must be in order, and handle 0 names no attribute.
    public var isValid: Bool { first > 0 && first <= last }

    public func contains(_ handle: UInt16) -> Bool { handle >= first && handle <= last }
}
