import EncounterLog

/// The content of a manifest that verification needs.
public struct SignedHead: Sendable, Equatable {
    public var head: LogHead
    /// The oldest segment that the board had at that time.
    public var oldestSegment: UInt32
    /// True if the signature is the board's.
    public var isSigned: Bool
    /// The index of the signing key among the board's keys.
    public var signer: Int

    public init(head: LogHead, oldestSegment: UInt32, isSigned: Bool, signer: Int = 0) {
        self.head = head
        self.signer = signer
        self.oldestSegment = oldestSegment
        self.isSigned = isSigned
    }

    /// The ordinals of the segments that the board had at that time.
    var keptSegments: Range<UInt32> {
        let newest = head.position.segmentOrdinal
        let end = newest == .max ? newest : newest + 1
        return min(oldestSegment, end)..<end
    }
}
