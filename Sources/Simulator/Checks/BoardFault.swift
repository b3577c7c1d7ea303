/// The faults of a board, apart from those of its radio.
public enum BoardFault: String, Hashable, Sendable, CaseIterable {
    // Power and process.
    /// Power fails between two steps (`powerCut`), or within a step and a write (`tornWrite`).
    case powerCut, tornWrite
    case agentKilled, agentStopped
    // Flash (``SimulatedMedium``).
    case programFailure, eraseFailure, lostWrite, readFailure, bitFlip, bitFlipAtRest, wornSegment, full
    // Sync line (``SimulatedLine``).
    case split, loss, corruption, hangUp, lineSilence
    // Clock (``BoardClock``).
    case noWallTime, wallTimeStep
}
