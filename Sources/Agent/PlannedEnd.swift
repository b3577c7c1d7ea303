import FixedMemory

/// An end of the agent that is planned so that a client gets its answer first.
struct PlannedEnd: BitwiseCopyable {
    let instant: Instant
    let ending: AgentEnding
}

extension Optional<PlannedEnd> {
    /// Plans an end, unless one for an update is planned: the launcher must start the update next.
    mutating func plan(_ ending: AgentEnding, at instant: Instant) {
        if self?.ending != .updated { self = PlannedEnd(instant: instant, ending: ending) }
    }
}
