import EncounterLog

/// Ways to be found: which adverts the recorder takes note of, beside Herald's.
public struct PeerHintSet: BitwiseCopyable, Equatable, Sendable {
    private var members: UInt16 = 0

    public init() {}

    /// Of every scheme: all there are but that of an advert that says nothing.
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
