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

    init(isWanted: Bool) { self.isWanted = isWanted }

    /// The next scheme to look for; nil after the last.
    mutating func next() -> SchemeID? {
        defer { soughtCount += 1 }
        return SchemeID(linkIndex: Int(soughtCount))
    }
}
