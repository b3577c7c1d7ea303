import EncounterLog
import FixedMemory

/// A peer's identity in a scheme other than Herald, given over a link.
struct SchemeIdentity: BitwiseCopyable {
    /// The key of the peer that this belongs to.
    var key: UInt64
    /// The ledger accepts another identity from this time on.
    var nextChange: Instant
    var marks: IdentityMarks
    /// Empty if there is none.
    var bytes: FixedBuffer<129>
}

/// The progress of the search for such schemes on a peer.
struct SchemeSearch: BitwiseCopyable {
    /// The key of the peer that this belongs to.
    var key: UInt64
    /// The time from which the agent searches again.
    var next: Instant
    var failures: UInt8
    /// The requests that the peer has refused in a way that will repeat. They count until ``refusalEnd``.
    var refused = SchemeRequests()
    var refusalEnd = Instant.start

    static var foundPause: Interval { .minutes(15) }
    /// How long after the end of an identity the agent reads the next one. The phone's clock may be slow, and
    /// all identities of a room end together.
    static var endPause: Interval { .seconds(5) }
    static var endSpreadMilliseconds: UInt64 { 20_000 }
}
