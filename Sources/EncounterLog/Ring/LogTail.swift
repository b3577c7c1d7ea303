import FixedMemory

/// What mounting learns from the end of a log.
struct LogTail: BitwiseCopyable {
    var logIdentity: Bytes<16>
    /// The newest segment, in which the log may go on.
    var segmentOrdinal: UInt32
    /// That segment's, up to the last of which anything was written.
    var usedBlocks = 0
    /// Of these, how many behind the last page that can be read hold none.
    var pagelessBlocks = 0
    /// The last page's, in that segment; nil if none of its pages can be read.
    var epoch: UInt8?
    var head = LogHead()
    var syncedThrough = LogPosition.start
}
