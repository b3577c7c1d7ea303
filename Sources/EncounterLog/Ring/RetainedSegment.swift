/// A segment that the medium still holds. Its first `byteCount` bytes do not change until the ring overwrites
/// the whole segment; `byteCount` only grows.
public struct RetainedSegment: Equatable, BitwiseCopyable, Sendable {
    public let ordinal: UInt32
    /// Ends at the end of a page's last unit.
    public let byteCount: Int
    /// Whether the segment is complete: nothing more will be added to it.
    public let isComplete: Bool
}
