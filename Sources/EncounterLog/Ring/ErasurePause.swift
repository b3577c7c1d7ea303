/// How long to wait before erasing an unreadable segment again. While a device cannot be read, each erasure
/// wears it and helps nothing. The log has no clock, so the pause counts attempts at writing: one after the
/// first erasure, two after the next, and so on.
struct ErasurePause: BitwiseCopyable {
    /// Some four minutes at one attempt a second.
    static var longest: UInt32 { 256 }

    /// The segment erased last, until something of it is programmed.
    private(set) var erasedOrdinal: UInt32?
    private var length: UInt32 = 0
    private var remaining: UInt32 = 0

    mutating func didErase(of ordinal: UInt32) {
        length = erasedOrdinal == ordinal ? min(max(1, length * 2), Self.longest) : 0
        remaining = length
        erasedOrdinal = ordinal
    }

    /// Whether this attempt falls into the pause.
    mutating func putsOff(_ ordinal: UInt32) -> Bool {
        guard erasedOrdinal == ordinal, remaining > 0 else { return false }
        remaining -= 1
        return true
    }

    /// Ends the pause: a page was programmed, or something other than reading failed.
    mutating func end() { self = ErasurePause() }
}
