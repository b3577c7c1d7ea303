/// A segment that the medium still holds. Its first `byteCount` bytes never change until the ring overwrites it
/// whole; `byteCount` only grows.
public struct RetainedSegment: Equatable, BitwiseCopyable, Sendable {
    public let ordinal: UInt32
    /// Up to the end of a page, and of its last unit.
    public let byteCount: Int
    /// Nothing more will be added to it.
    public let isClosed: Bool
}
