/// Checks that the agent's steps free all memory that they take, heap or mapped. On a board the program has
/// no allocator at all.
///
/// Here the agent is ordinary Swift. Its runtime creates some metadata on first use, from pools of 16 KiB.
/// That happens once per process and is small. A leak in each step adds up to more within an hour.
final class MemoryIsConstant: Check {
    #if DEBUG
        /// Debug builds specialise nothing, so they create more metadata.
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
