import Peers
import Schemes

/// The search of one link for schemes other than Herald, one after the other.
struct SchemeSearch: BitwiseCopyable {
    /// Some schemes are still to be looked for.
    var isWanted: Bool
    private var soughtCount: UInt8 = 0
    /// The peer has answered in one of them.
    var hasFound = false
    /// One of them could not be read.
    var hasFailed = false

    init(isWanted: Bool) { self.isWanted = isWanted }

    /// The next scheme to look for; nil after the last.
    mutating func next() -> SchemeID? {
        defer { soughtCount += 1 }
        return SchemeID(linkIndex: Int(soughtCount))
    }
}
