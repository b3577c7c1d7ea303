/// The signal strength over all samples of an encounter.
public struct RSSISummary: Sendable, Equatable {
    public private(set) var minimumDBm: Int
    public private(set) var maximumDBm: Int
    /// The sum of the samples' means in tenths of a dBm, each weighted by its number of readings. The order
    /// in which whole numbers are added does not matter.
    private(set) var weightedTenths: Int
    private(set) var weight: Int

    /// The mean of the samples, each weighted by its number of readings.
    public var meanDBm: Double { Double(weightedTenths) / (10 * Double(weight)) }

    /// Nil without samples.
    public init?<Time>(_ samples: some Sequence<Sample<Time>>) {
        var summary: RSSISummary?
        for sample in samples {
            let one = RSSISummary(sample)
            summary?.add(one)
            summary = summary ?? one
        }
        guard let summary else { return nil }
        self = summary
    }

    init(minimumDBm: Int, maximumDBm: Int, weightedTenths: Int, weight: Int) {
        self.minimumDBm = minimumDBm
        self.maximumDBm = maximumDBm
        self.weightedTenths = weightedTenths
        self.weight = max(1, weight)
    }

    private init<Time>(_ sample: Sample<Time>) {
        let weight = max(1, sample.readingCount)
        let tenths = Int((sample.meanDBm * 10).rounded())
        self.init(
            minimumDBm: sample.minimumDBm, maximumDBm: sample.maximumDBm,
            weightedTenths: tenths.multipliedReportingOverflow(by: weight).partialValue, weight: weight)
    }

    /// A foreign file may hold any numbers, so sums wrap.
    mutating func add(_ other: RSSISummary) {
        minimumDBm = min(minimumDBm, other.minimumDBm)
        maximumDBm = max(maximumDBm, other.maximumDBm)
        weightedTenths &+= other.weightedTenths
        weight = max(1, weight &+ other.weight)
    }
}
