/// The readings of a contact, or of a part of it during which the distance hardly changed.
public struct SignalSummary: Sendable, Equatable {
    public let meanRSSIDBm: Double
    public let readingCount: Int

    /// - Returns: nil if the count is not positive, or the mean is outside ``WalkTest/allowedRSSIDBm``.
    public init?(meanRSSIDBm: Double, readingCount: Int) {
        guard readingCount > 0, WalkTest.allowedRSSIDBm.contains(meanRSSIDBm) else { return nil }
        self.meanRSSIDBm = meanRSSIDBm
        self.readingCount = readingCount
    }

    /// The mean of several parts, each by its number of readings.
    ///
    /// - Returns: nil if the parts are empty, or their readings are too many to count.
    public init?(combining parts: some Sequence<SignalSummary>) {
        var count = 0
        var sum = 0.0
        for part in parts {
            let (total, isTooMany) = count.addingReportingOverflow(part.readingCount)
            guard !isTooMany else { return nil }
            count = total
            sum += part.meanRSSIDBm * Double(part.readingCount)
        }
        guard count > 0 else { return nil }
        // Rounding must not carry the mean of the strongest signals out of the allowed range.
        let range = WalkTest.allowedRSSIDBm
        self.init(
            meanRSSIDBm: min(range.upperBound, max(range.lowerBound, sum / Double(count))),
            readingCount: count)
    }

    /// Of readings of a walk test, which were checked one by one.
    init(_ readings: ArraySlice<WalkTest.Reading>) {
        meanRSSIDBm = readings.mean(\.rssiDBm)
        readingCount = readings.count
    }
}
