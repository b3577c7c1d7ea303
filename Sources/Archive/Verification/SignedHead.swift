import EncounterLog

/// What a manifest says, as far as checking a log needs it.
public struct SignedHead: Sendable, Equatable {
    public var head: LogHead
    /// The oldest segment that the board had then.
    public var oldestSegment: UInt32
    /// The signature is the board's.
    public var isSigned: Bool

    public init(head: LogHead, oldestSegment: UInt32, isSigned: Bool) {
        self.head = head
        self.oldestSegment = oldestSegment
        self.isSigned = isSigned
    }

    /// Ordinals of those that the board had then.
    var keptSegments: Range<UInt32> {
        let newest = head.position.segmentOrdinal
        let end = newest == .max ? newest : newest + 1
        return min(oldestSegment, end)..<end
    }
}
