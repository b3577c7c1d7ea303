/// Whether there is an identity to show, and if not, why. The raw values are those of the sync protocol.
public enum IdentityStanding: UInt8, BitwiseCopyable, Equatable, Sendable {
    case present = 0
    /// The time is unknown. Nobody could find an identity from a wrong time again.
    case timeUnknown = 1
    /// The board has no key of this day, or none yet.
    case keyMissing = 3
}
