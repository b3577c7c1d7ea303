import Foundation
import Testing

@testable import Ranging

@Suite struct DistancePosteriorTests {
    private let posterior = DistancePosterior(levelDBm: -70, exponent: 2, rangeCentimetres: 300)

    private func interval(_ rssiDBm: Double, deviationDB: Double = 3) -> DistanceInterval {
        posterior.interval(rssiDBm: rssiDBm, deviationDB: deviationDB, coverage: 0.8)
    }

    @Test func `a strong signal is near: the interval begins at zero`() {
        #expect(interval(-45).lowerCentimetres == 0)
        #expect(interval(-45).upperCentimetres.map { $0 <= 30 } ?? false)
        #expect(interval(-45).description.hasPrefix("up to"))
    }

    @Test func `a weak signal may come from beyond the walk tests: the interval is open`() {
        #expect(interval(-85).upperCentimetres == nil)
        #expect(interval(-85).contains(centimetres: 2_000))
        #expect(interval(-85).description.hasSuffix("cm or more"))
    }

    @Test func `a signal between them has two ends around the place where it is expected`() {
        let interval = interval(-70, deviationDB: 1)
        #expect(interval.contains(centimetres: 90))
        #expect(interval.lowerCentimetres > 50)
        #expect(interval.upperCentimetres.map { $0 < 140 } ?? false)
        #expect(!interval.contains(centimetres: 20) && !interval.contains(centimetres: 200))
    }

    @Test func `the interval is the shortest with the share of weight, by trying all`() throws {
        for rssi in stride(from: -100.0, through: -40, by: 2.5) {
            let weights = (0..<60).map { cell in
                let expected = -70 + 2 * PathLossModel.loss(atCentimetres: Double(cell) * 5 + 2.5)
                return exp(-(rssi - expected) * (rssi - expected) / 18)
            }
            let total = weights.reduce(0, +)
            let shortest = (1...60).first { length in
                (0...(60 - length)).contains { weights[$0..<($0 + length)].reduce(0, +) >= 0.8 * total }
            }
            #expect(interval(rssi).widthCentimetres == (try #require(shortest)) * 5)
        }
    }

    @Test func `a useless signal gives the prior's width, and a better one a narrower interval`() {
        let prior = DistancePosterior.priorWidthCentimetres(coverage: 0.8, rangeCentimetres: 300)
        #expect(prior == 240)
        #expect(interval(-70, deviationDB: 10_000).widthCentimetres == prior)
        let widths = [1.0, 2, 4, 8].map { interval(-70, deviationDB: $0).widthCentimetres }
        #expect(widths == widths.sorted() && widths[0] < widths[3])
    }

    @Test func `a range that is no multiple of the cells is kept whole`() {
        let posterior = DistancePosterior(levelDBm: -70, exponent: 2, rangeCentimetres: 301)
        let interval = posterior.interval(rssiDBm: -90, deviationDB: 3, coverage: 0.8)
        #expect(interval.rangeCentimetres == 305 && interval.upperCentimetres == nil)
    }

    @Test(arguments: [1.0, 3, 8, 20])
    func `a stronger signal never reaches farther at either end`(_ deviationDB: Double) {
        let intervals = stride(from: -127.0, through: 20, by: 0.5).map {
            interval($0, deviationDB: deviationDB)
        }
        for (weaker, stronger) in zip(intervals, intervals.dropFirst()) {
            #expect(stronger.lowerCentimetres <= weaker.lowerCentimetres)
            #expect(stronger.upperCentimetres ?? .max <= weaker.upperCentimetres ?? .max)
        }
    }
}
