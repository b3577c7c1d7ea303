/// The decision about an identity that a peer gives.
enum IdentityVerdict: BitwiseCopyable {
    /// It is the identity that is stored.
    case known
    /// The peer changed its identity less than a minute ago.
    case tooSoon
    /// The ledger must store the identity.
    case new
    /// It was written, and differs from the one that was read.
    case contradiction
}
