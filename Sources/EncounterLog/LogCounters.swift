/// What befell the log since it was mounted.
public struct LogCounters: Equatable, BitwiseCopyable, Sendable {
    /// Pages programmed and synced.
    public var programmedPages: UInt32 = 0
    /// Their bytes, with what fills their last units.
    public var programmedBytes: UInt64 = 0
    /// Attempts at programming a page or erasing a segment that failed.
    public var flashFailures: UInt32 = 0
    /// Blocks passed over because something already stood where nothing should.
    public var skippedBlocks: UInt32 = 0
    /// Attempts at which a segment that could not be read was not erased again yet.
    public var putOffErasures: UInt32 = 0
    /// Segments erased for room that still held something, and their committed bytes.
    public var overwrittenSegments: UInt32 = 0
    public var overwrittenBytes: UInt64 = 0
    /// Of these, the ones of which nobody had said that they are safe elsewhere.
    public var lostSegments: UInt32 = 0
    public var lostBytes: UInt64 = 0
    /// Segments erased because of a command, or of their age.
    public var removedSegments: UInt32 = 0
    /// Entries lost: the open page was full and the flash did not take it.
    public var refusedEntries: UInt32 = 0

    public init() {}
}
