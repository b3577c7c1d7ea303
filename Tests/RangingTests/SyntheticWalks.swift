import Foundation

@testable import Ranging

/// A world whose truth is known: sessions differ by a normal error, places by multipath, readings by noise.
struct SyntheticWorld {
    static let pairs = ["A", "B", "C", "D"].compactMap { ModelPair(receiver: "board", transmitter: $0) }

    var exponent = 1.4
    var sessionDeviationDB = 3.0
    var placeDeviationDB = 5.0
    var readingDeviationDB = 2.0
    private var random: SplitMix64

    /// The seed is printed, so that a failure can be repeated.
    init(seed: UInt64) {
        random = SplitMix64(state: seed)
        print("synthetic walk tests, seed \(seed)")
    }

    /// A run of one session; pairs differ by 8 dB from one to the next.
    mutating func walk(
        _ session: String, _ models: ModelPair, distances: [Double], readingsPerPlace: Int = 8
    ) throws -> WalkTest {
        let index = Self.pairs.firstIndex(of: models) ?? 0
        let level = -60 - 8 * Double(index) + sessionDeviationDB * normal()
        var readings: [WalkTest.Reading] = []
        for (place, distance) in distances.enumerated() {
            let mean = level + exponent * -10 * log10((distance + 10) / 100) + placeDeviationDB * normal()
            for second in 0..<readingsPerPlace {
                let rssi = min(20, max(-127, mean + readingDeviationDB * normal()))
                let reading = WalkTest.Reading(
                    seconds: Double(place * 60 + second), rssiDBm: rssi, distanceCentimetres: distance)
                readings += try [unwrap(reading)]
            }
        }
        return try unwrap(
            WalkTest(session: session, models: models, source: source(), readings: readings))
    }

    /// Walk tests over the whole range: of every pair, in the given number of sessions.
    mutating func walks(sessionsPerPair: Int) throws -> [WalkTest] {
        var walks: [WalkTest] = []
        for session in 0..<sessionsPerPair {
            for models in Self.pairs {
                walks.append(
                    try walk(
                        "\(models.transmitter)\(session)", models,
                        distances: Array(stride(from: 0, through: 300, by: 10))))
            }
        }
        return walks
    }

    mutating func uniformDistances(_ count: Int, upTo range: Double) -> [Double] {
        (0..<count).map { _ in (Double.random(in: 0...range, using: &random)).rounded() }
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &random) }

    private mutating func source() throws -> WalkTest.Source {
        let hexadecimal = (0..<4).map { _ in String(random.next() | 1 << 63, radix: 16) }.joined()
        return try unwrap(WalkTest.Source(fileName: "synthetic.csv", sha256: hexadecimal))
    }

    /// A standard normal value (Box and Muller).
    private mutating func normal() -> Double {
        let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude...1, using: &random)))
            .squareRoot()
        return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
    }
}

struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

struct Missing: Error {}

func unwrap<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}
