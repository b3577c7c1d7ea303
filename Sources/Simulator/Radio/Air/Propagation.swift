import FlashSimulator

/// The radio propagation model.
///
///     RSSI = power − loss at 1 m − 10 · n · log₁₀(metres) + shadowing + fading
public struct Propagation: Sendable {
    public var lossAtOneMetreDB = 55.0
    public var exponent = 2.2
    /// The standard deviation of shadowing by obstacles between two devices. Each pair keeps its value for
    /// the whole run.
    public var shadowingDB = 0.0
    /// The loss in both directions while a body stands between two devices, for two seconds.
    public var bodyFadeDB = 0.0
    /// The mean time between two such events for a pair.
    public var bodyFadePause = SimulatedDuration.seconds(60)
    /// The standard deviation from packet to packet.
    public var fadingDB = 0.0
    public var sensitivityDBm = -95.0
    /// The difference by which the stronger of two simultaneous packets on a channel must exceed the other to
    /// survive.
    public var captureDB = 8.0
    /// The probability that a packet of sufficient strength is lost, for example by Wi-Fi or microwave
    /// ovens.
    public var interference = 0.0

    public init() {}

    /// The RSSI range: from the sensitivity of the best receivers up to the maximum that a controller may
    /// report.
    static let rssiRange = -120.0...20.0

    private static let microsecondsPerSecond: UInt64 = 1_000_000

    /// Whether a body stands between the two devices. In each second, with equal probability, somebody
    /// steps there and stays for two seconds. The seconds of each pair begin at a different moment.
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

    /// The RSSI in dBm.
    ///
    /// - Parameter pair: A number for the two devices, the same in both directions.
    /// - Parameter fading: Drawn for each packet, in standard deviations.
    @inline(__always)
    func rssiDBm(powerDBm: Double, squaredMetres: Double, pair: UInt64, fading: Double) -> Double {
        // The formula is used down to a distance of 10 cm.
        let loss = lossAtOneMetreDB + 5 * exponent * PortableLogarithm.log10(max(0.01, squaredMetres))
        let shadow = shadowingDB > 0 ? RandomStream.normal(from: RandomStream.mix(pair)) * shadowingDB : 0
        let rssi = powerDBm - loss + shadow + fading * fadingDB
        return min(max(rssi, Self.rssiRange.lowerBound), Self.rssiRange.upperBound)
    }
}
