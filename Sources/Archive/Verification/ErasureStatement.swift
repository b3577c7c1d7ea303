import EncounterLog

/// What a board has said of segments that it erased, put together for some that are missing.
struct ErasureStatement {
    /// Nil when there were several.
    let cause: GapCause?
    let isAcknowledged: Bool
    /// It is about no other.
    let isWithin: Bool
    /// It is about all of them, and about no other. What a board said first was in segments that may be gone themselves.
    let isWhole: Bool
    /// Nil when nobody knows of any.
    let entryCount: Int?
    let isAtLeast: Bool
    let first: LogHole.Moment?
    let last: LogHole.Moment?

    /// Nil when nothing was said of them.
    init?(_ missing: Range<UInt32>, _ gaps: some Sequence<LogGap>) {
        let missing = Int64(missing.lowerBound)..<Int64(missing.upperBound)
        let told = gaps.filter { $0.segments.overlaps(missing) }
            .sorted { $0.firstSegmentOrdinal < $1.firstSegmentOrdinal }
        guard let oldest = told.first else { return nil }
        cause = told.allSatisfy { $0.cause == oldest.cause } ? oldest.cause : nil
        isAcknowledged = told.allSatisfy(\.isAcknowledged)
        isWithin = told.allSatisfy {
            missing.lowerBound <= $0.segments.lowerBound && $0.segments.upperBound <= missing.upperBound
        }
        isWhole = isWithin && told.reduce(0) { $0 + $1.segmentCount } == missing.count
        let counts = told.compactMap(\.entryCount)
        entryCount = counts.isEmpty ? nil : counts.reduce(0, +)
        isAtLeast = told.contains { $0.isAtLeast }
        first = told.lazy.compactMap(\.first).first
        last = told.reversed().lazy.compactMap(\.last).first
    }
}
