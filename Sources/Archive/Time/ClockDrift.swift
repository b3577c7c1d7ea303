/// The range of the relative rate by which wall time may run faster than a board's monotonic clock.
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

    /// The drift of an ordinary quartz over all temperatures.
    static let quartz = ClockDrift(partsPerMillion: 100)
    /// The drift while NTP steers the clock: Linux slews its monotonic clock too, by at most this rate. It
    /// also covers a worse quartz.
    static let steered = ClockDrift(partsPerMillion: 500)
    /// The variation of one board's rate around its mean, mostly with temperature.
    static let wander = 20.0 / 1_000_000

    /// The range that both admit; nil if there is none.
    func intersection(_ other: ClockDrift) -> ClockDrift? {
        let both = ClockDrift(slowest: max(slowest, other.slowest), fastest: min(fastest, other.fastest))
        return both.slowest <= both.fastest ? both : nil
    }
}
