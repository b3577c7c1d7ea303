import EncounterLog

/// A board's reports on erased ranges, combined for a range of missing segments.
struct ErasureStatement {
    /// Nil if the causes differ.
    let cause: GapCause?
    let isAcknowledged: Bool
    /// True if the reports concern no other segments.
    let isWithin: Bool
    /// True if the reports concern all of these segments and no others. The earliest reports may be in erased
    /// segments themselves.
    let isWhole: Bool
    /// Nil if it is unknown.
    let entryCount: Int?
    let isAtLeast: Bool
    let first: LogHole.Moment?
    let last: LogHole.Moment?

    /// Nil if the board reported none of these segments.
    init?(_ missing: Range<UInt32>, _ gaps: some Sequence<LogGap>) {
        let missing = Int64(missing.lowerBound)..<Int64(missing.upperBound)
        let overlapping = gaps.filter { $0.segments.overlaps(missing) }
            .sorted { $0.firstSegmentOrdinal < $1.firstSegmentOrdinal }
        guard let oldest = overlapping.first else { return nil }
        cause = overlapping.allSatisfy { $0.cause == oldest.cause } ? oldest.cause : nil
        isAcknowledged = overlapping.allSatisfy(\.isAcknowledged)
        isWithin = overlapping.allSatisfy {
            missing.lowerBound <= $0.segments.lowerBound && $0.segments.upperBound <= missing.upperBound
        }
        isWhole = isWithin && overlapping.reduce(0) { $0 + $1.segmentCount } == missing.count
        let counts = overlapping.compactMap(\.entryCount)
        entryCount = counts.isEmpty ? nil : counts.reduce(0, +)
        isAtLeast = overlapping.contains { $0.isAtLeast }
        first = overlapping.lazy.compactMap(\.first).first
        last = overlapping.reversed().lazy.compactMap(\.last).first
    }
}
