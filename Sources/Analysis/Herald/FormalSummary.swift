/// Several formal tests of one kind, such as one for each of many seeds.
public struct FormalSummary: Sendable {
    /// One test's figures, in percent.
    public struct Figures: Sendable, Equatable, Codable {
        public let detectionPercent: Double
        public let continuityPercent: Double
        public let longevityPercent: Double
        public let fittingLongevityPercent: Double

        public init(_ result: FormalResult) {
            detectionPercent = result.detectionPercent
            continuityPercent = result.continuityPercent
            longevityPercent = result.longevityPercent
            fittingLongevityPercent = result.fittingLongevityPercent
        }
    }

    /// A figure over all tests.
    public struct Spread: Sendable, Equatable {
        public let mean: Double
        public let worst: Double
    }

    public private(set) var tests: [Figures] = []

    public init() {}

    public mutating func append(_ figures: Figures) { tests.append(figures) }

    public var detectionPercent: Spread { spread(\.detectionPercent) }
    public var continuityPercent: Spread { spread(\.continuityPercent) }
    public var longevityPercent: Spread { spread(\.longevityPercent) }

    /// The mean and the worst figure; zeros without tests.
    private func spread(_ figure: KeyPath<Figures, Double>) -> Spread {
        let values = tests.map { $0[keyPath: figure] }
        return Spread(
            mean: values.reduce(0, +) / Double(max(values.count, 1)), worst: values.min() ?? 0)
    }
}
