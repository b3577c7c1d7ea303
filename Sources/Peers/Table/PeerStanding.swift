/// A peer's rank for eviction from a full table, first to go first (see ``PeerTable``).
public enum PeerStanding: UInt8, BitwiseCopyable, Sendable {
    /// The agent does not follow the peer.
    case ignored
    /// Followed, but heard only for a moment and without an identity, which any device can achieve.
    case tentative
    /// The peer has given its identity, or has stayed for a while.
    case confirmed
}
