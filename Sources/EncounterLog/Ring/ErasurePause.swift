/// How long to go without erasing a segment again of which no page could be read: while a device cannot be read, each
/// erasure wears it and helps nobody. Counted in attempts at writing, for the log has no clock: one after the first
/// erasure, two after the next, and so on.
struct ErasurePause: BitwiseCopyable {
    /// With an attempt a second, some four minutes.
    static var longest: UInt32 { 256 }

    /// The segment that was last erased, while nothing of it has been programmed.
    private(set) var erasedOrdinal: UInt32?
    private var length: UInt32 = 0
    private var remaining: UInt32 = 0

    mutating func noteErasure(of ordinal: UInt32) {
        length = erasedOrdinal == ordinal ? min(max(1, length * 2), Self.longest) : 0
        remaining = length
        erasedOrdinal = ordinal
    }

    /// Whether this attempt is part of the pause.
    mutating func putsOff(_ ordinal: UInt32) -> Bool {
        guard erasedOrdinal == ordinal, remaining > 0 else { return false }
        remaining -= 1
        return true
    }

    /// A page was programmed, or something failed other than reading.
    mutating func end() { self = ErasurePause() }
}
