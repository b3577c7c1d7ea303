/// Counters of the log's events since it was mounted.
public struct LogCounters: Equatable, BitwiseCopyable, Sendable {
    /// Pages programmed and synced.
    public var programmedPages: UInt32 = 0
    /// Bytes of these pages, including the padding of their last units.
    public var programmedBytes: UInt64 = 0
    /// Failed attempts at programming a page or erasing a segment.
    public var flashFailures: UInt32 = 0
    /// Blocks skipped because they were not erased.
    public var skippedBlocks: UInt32 = 0
    /// Attempts at which the log postponed erasing an unreadable segment again.
    public var putOffErasures: UInt32 = 0
    /// Segments overwritten by the ring that still held data, and their committed bytes.
    public var overwrittenSegments: UInt32 = 0
    public var overwrittenBytes: UInt64 = 0
    /// The part of these that no host had acknowledged.
    public var lostSegments: UInt32 = 0
    public var lostBytes: UInt64 = 0
    /// Segments erased by command or for their age.
    public var removedSegments: UInt32 = 0
    /// Entries lost because the open page was full and the flash did not accept it.
    public var refusedEntries: UInt32 = 0

    public init() {}
}
