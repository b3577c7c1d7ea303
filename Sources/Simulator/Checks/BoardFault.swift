/// What may fail on a board beside its radio.
public enum BoardFault: String, Hashable, Sendable, CaseIterable {
    // Its life.
    /// The power goes between two steps, or within a step and a write.
    case powerCut, tornWrite
    case agentKilled, agentStopped
    // Its flash (``SimulatedMedium``).
    case programFailure, eraseFailure, lostWrite, readFailure, bitFlip, bitFlipAtRest, wornSegment, full
    // Its line (``SimulatedLine``).
    case split, loss, corruption, hangUp, lineSilence
    // Its clock (``BoardClock``).
    case noWallTime, wallTimeStep
}
