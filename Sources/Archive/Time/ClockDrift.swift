/// By how much wall time may run faster than a board's monotonic clock, as parts of one: at least and at most.
struct ClockDrift: Sendable, Equatable {
    var slowest: Double
    var fastest: Double

    init(slowest: Double, fastest: Double) {
        self.slowest = slowest
        self.fastest = fastest
    }

    init(partsPerMillion: Double) {
        self.init(slowest: -partsPerMillion / 1_000_000, fastest: partsPerMillion / 1_000_000)
    }

    /// The quartz of any board worth the name, over all temperatures.
    static let quartz = ClockDrift(partsPerMillion: 100)
    /// Linux slews its monotonic clock too while NTP steers it, by no more than this. A worse quartz is not worse either.
    static let steered = ClockDrift(partsPerMillion: 500)
    /// By how much one board's rate wanders about its mean, mostly with the temperature.
    static let wander = 20.0 / 1_000_000

    /// The part that both allow; nil for none.
    func intersection(_ other: ClockDrift) -> ClockDrift? {
        let both = ClockDrift(slowest: max(slowest, other.slowest), fastest: min(fastest, other.fastest))
        return both.slowest <= both.fastest ? both : nil
    }
}
