/// Whether there is an identity to show, and if not, why. The raw values are those of the sync protocol.
public enum IdentityStanding: UInt8, BitwiseCopyable, Equatable, Sendable {
    case present = 0
    /// Nobody has told the time: an identity from a wrong time could not be found again by anyone.
    case timeUnknown = 1
    /// There is no key of this day, or none yet.
    case keyMissing = 3
}
