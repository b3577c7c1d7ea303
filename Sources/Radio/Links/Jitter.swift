/// Pseudo-random numbers for pauses (xorshift64). They are predictable, so they never become keys or
/// identities.
struct Jitter: BitwiseCopyable {
    private var state: UInt64

    /// - Parameter seed: Any number but 0.
    init(seed: UInt64) { state = seed }

    @inline(never)
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
