import FixedMemory

/// From one attribute handle to another, both included, as a client asked for it.
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

    /// Whether a server may serve it: handle 0 stands for no attribute.
    public var isValid: Bool { first > 0 && first <= last }

    public func contains(_ handle: UInt16) -> Bool { handle >= first && handle <= last }
}
