/// What the recorder has counted since it started.
public struct RecorderCounters: BitwiseCopyable, Equatable, Sendable {
    public internal(set) var reports: UInt32 = 0
    public internal(set) var malformed: UInt32 = 0
    /// Entries that found no room before the log took them, or are too long for a page of it.
    public internal(set) var dropped: UInt32 = 0
    /// Peers that had to make room for others.
    public internal(set) var evicted: UInt32 = 0
    /// Reports and identities of peers for which there was no room.
    public internal(set) var turnedAway: UInt32 = 0
    /// Identities not taken: the peer had changed its own just before, or they cannot be.
    public internal(set) var refusedIdentities: UInt32 = 0
    /// Encounters written to the log.
    public internal(set) var encounters: UInt32 = 0
    /// Devices that were found again under another address, by their payload or pseudo address.
    public internal(set) var merged: UInt32 = 0

    public init() {}
}
