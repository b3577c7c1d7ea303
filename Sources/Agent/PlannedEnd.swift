import FixedMemory

/// An end of the agent that is planned so that a client gets its answer first.
struct PlannedEnd: BitwiseCopyable {
    let instant: Instant
    let ending: AgentEnding
}
