import EncounterLog

/// A set of hints: the kinds of adverts that the recorder evaluates beside Herald's.
public struct PeerHintSet: BitwiseCopyable, Equatable, Sendable {
    private var members: UInt16 = 0

    public init() {}

    /// The hints of every scheme, without the one for an empty advert.
    public static var allSchemes: PeerHintSet {
        var all = PeerHintSet()
        all.members = ~(1 << UInt16(PeerHint.emptyAdvert.rawValue))
        return all
    }

    public var isEmpty: Bool { members == 0 }

    public func contains(_ hint: PeerHint) -> Bool {
        hint.rawValue < 16 && members & (1 << UInt16(hint.rawValue)) != 0
    }

    public mutating func insert(_ hint: PeerHint) {
        precondition(hint.rawValue < 16)
        members |= 1 << UInt16(hint.rawValue)
    }
}
