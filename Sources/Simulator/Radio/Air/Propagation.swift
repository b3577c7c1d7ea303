import FlashSimulator

/// How loud a transmitter is at a receiver:
/// RSSI = power − loss at 1 m − 10 · n · log₁₀(metres) + shadowing + fading.
public struct Propagation: Sendable {
    public var lossAtOneMetreDB = 55.0
    public var exponent = 2.2
    /// Deviation of what stands between a pair of devices: the same for as long as the world lasts.
    public var shadowingDB = 0.0
    /// Somebody steps between two devices: both hear each other this much less, for two seconds.
    public var bodyFadeDB = 0.0
    /// How often that happens to a pair, on average.
    public var bodyFadePause = SimulatedDuration.seconds(60)
    /// Deviation from packet to packet.
    public var fadingDB = 0.0
    public var sensitivityDBm = -95.0
    /// Of two packets at once on a channel the louder one survives if it is louder by this.
    public var captureDB = 8.0
    /// Probability that a packet is lost though it was loud enough: Wi-Fi, microwave ovens.
    public var interference = 0.0

    public init() {}

    /// Neither below what the best receivers hear nor above what a controller may report.
    static let rssiRange = -120.0...20.0

    private static let microsecondsPerSecond: UInt64 = 1_000_000

    /// Whether somebody stands between the two devices. In each second, counted from another moment for each pair, somebody
    /// steps there with equal probability, and stays for two.
    @inline(__always)
    func isBodyBetween(pair: UInt64, at time: SimulatedTime) -> Bool {
        guard bodyFadeDB > 0 else { return false }
        let phase = RandomStream.mix(pair ^ 0xb0d7) % Self.microsecondsPerSecond
        let second = (time.microseconds + phase) / Self.microsecondsPerSecond
        return isStepping(pair, second) || second > 0 && isStepping(pair, second - 1)
    }

    @inline(__always)
    private func isStepping(_ pair: UInt64, _ second: UInt64) -> Bool {
        let draw = RandomStream.mix(pair &+ RandomStream.mix(second))
        return draw % bodyFadePause.microseconds < Self.microsecondsPerSecond
    }

    /// `pair`: a number for the two devices, in whatever order. `fading`: drawn for each packet.
    @inline(__always)
    func rssiDBm(powerDBm: Double, squaredMetres: Double, pair: UInt64, fading: Double) -> Double {
        // At 10 cm the formula ends.
        let loss = lossAtOneMetreDB + 5 * exponent * Decibel.log10(max(0.01, squaredMetres))
        let shadow = shadowingDB > 0 ? RandomStream.normal(from: RandomStream.mix(pair)) * shadowingDB : 0
        let rssi = powerDBm - loss + shadow + fading * fadingDB
        return min(max(rssi, Self.rssiRange.lowerBound), Self.rssiRange.upperBound)
    }
}
