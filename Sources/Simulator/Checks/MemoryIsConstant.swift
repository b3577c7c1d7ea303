/// The agent's steps keep no memory, heap or mapped: what they take they give back (the board's program has no allocator at
/// all).
///
/// As ordinary Swift, which it is here, the agent has the language's runtime make some metadata where they are first
/// needed, of pools that it takes 16 KiB at a time. That is once in a process, and little; what a step keeps each time
/// adds up to more before an hour is over.
final class MemoryIsConstant: Check {
    #if DEBUG
        /// Nothing is specialised there, so there are more of them.
        private static let runtimeByteCount: Int64 = 65_536
    #else
        private static let runtimeByteCount: Int64 = 24_576
    #endif

    private var kept: Int64 = 0

    override func stepped(_ step: StepFacts) {
        let before = kept
        kept += step.memoryGrowth
        if kept > Self.runtimeByteCount, before <= Self.runtimeByteCount {
            broken("the agent's steps have kept \(kept) bytes")
        }
    }
}
