/// The recorder's counters since it started.
public struct RecorderCounters: BitwiseCopyable, Equatable, Sendable {
    public internal(set) var reports: UInt32 = 0
    public internal(set) var malformed: UInt32 = 0
    /// Entries that found no room before the log took them, or are too long for one of its pages.
    public internal(set) var dropped: UInt32 = 0
    /// Peers that were evicted for others.
    public internal(set) var evicted: UInt32 = 0
    /// Reports and identities of peers for which the table had no room.
    public internal(set) var turnedAway: UInt32 = 0
    /// Identities that were not accepted: the peer had changed its own just before, or they are invalid.
    public internal(set) var refusedIdentities: UInt32 = 0
    /// Encounters written to the log.
    public internal(set) var encounters: UInt32 = 0
    /// Encounters that ended unlogged: their peers gave no identity, and the log's allowance for such
    /// encounters was used up.
    public internal(set) var unlogged: UInt32 = 0
    /// Devices recognised again under another address, by their payload or pseudo address.
    public internal(set) var merged: UInt32 = 0

    public init() {}
}
