import FixedMemory
import Peers
import Schemes

/// The search of one link for schemes other than Herald, one after the other.
struct SchemeSearch: BitwiseCopyable {
    /// Whether some schemes have not been searched for yet.
    var isWanted: Bool
    private var soughtCount: UInt8 = 0
    /// Whether the peer has answered in one of them.
    var hasFound = false
    /// Whether one of them could not be read.
    var hasFailed = false
    /// Whether one of them was refused in a way that will repeat.
    var hasRefused = false
    /// When an identity that the peer has given is over; `.distantFuture` if that is unknown.
    private(set) var end = Instant.distantFuture

    init(isWanted: Bool) { self.isWanted = isWanted }

    /// Records that the peer has given an identity. It is over at the end of the scheme's period, which all
    /// phones share.
    mutating func didFind(_ scheme: SchemeID, unixSeconds: UInt64?, now: Instant) {
        hasFound = true
        guard let unixSeconds, let period = scheme.sharedPeriodSeconds else { return }
        end = min(end, now + .seconds(period - unixSeconds % period))
    }

    /// The next scheme to look for; nil after the last.
    mutating func next() -> SchemeID? {
        defer { soughtCount += 1 }
        return SchemeID(linkIndex: Int(soughtCount))
    }
}
