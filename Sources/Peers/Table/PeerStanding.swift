/// How hard a peer is to push out of a full table (see ``PeerTable``), easiest first.
public enum PeerStanding: UInt8, BitwiseCopyable, Sendable {
    /// Nothing we follow.
    case ignored
    /// Followed, but anybody can look like it: heard for a moment only, and we do not know who it is.
    case tentative
    /// It has said who it is, or has stayed for a while.
    case confirmed
}
