import FixedMemory

/// The facts that mounting learns from the end of a log.
struct LogTail: BitwiseCopyable {
    var logIdentity: Bytes<16>
    /// The newest segment, to which the log may append.
    var segmentOrdinal: UInt32
    /// The number of that segment's blocks up to the last one written.
    var usedBlocks = 0
    /// The number of those blocks after the last readable page.
    var pagelessBlocks = 0
    /// The epoch of the last page in that segment; nil if none of its pages can be read.
    var epoch: UInt8?
    var head = LogHead()
    var syncedThrough = LogPosition.start
    /// Whether pages behind ``head`` are not the board's own.
    var hasForeignPages = false
}
