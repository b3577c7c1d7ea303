import Foundation

/// Turns RSSI into distances, for one pair of models.
///
/// Before the RSSI is known, every distance within the calibration's range is taken as equally likely: the
/// prior. RSSI then weighs the distances by how likely it would be there. The interval is the shortest that
/// has the stated share of all weight. It is never narrower than what the model's errors allow, and with a
/// useless RSSI it is the prior's.
struct DistancePosterior {
    /// Intervals begin and end at multiples of this. Finer ones would claim more than a walk test can
    /// measure.
    static let cellCentimetres = 5

    private let expectedRSSIDBm: [Double]

    init(levelDBm: Double, exponent: Double, rangeCentimetres: Double) {
        let count = Self.cellCount(rangeCentimetres)
        expectedRSSIDBm = (0..<count).map {
            let middle = (Double($0) + 0.5) * Double(Self.cellCentimetres)
            return levelDBm + exponent * PathLossModel.loss(atCentimetres: middle)
        }
    }

    /// The shortest run of cells with at least the given share of the weight; of several, the one with most.
    func interval(rssiDBm: Double, deviationDB: Double, coverage: Double) -> DistanceInterval {
        let weights = weights(rssiDBm: rssiDBm, deviationDB: deviationDB)
        let needed = coverage * weights.reduce(0, +)
        var best = (lower: 0, upper: weights.count, sum: 0.0)
        var lower = 0
        var sum = 0.0
        for upper in 1...weights.count {
            sum += weights[upper - 1]
            while lower + 1 < upper, sum - weights[lower] >= needed {
                sum -= weights[lower]
                lower += 1
            }
            let length = upper - lower
            let bestLength = best.upper - best.lower
            if sum >= needed, length < bestLength || length == bestLength && sum > best.sum {
                best = (lower, upper, sum)
            }
        }
        return Self.interval(best.lower..<best.upper, of: weights.count)
    }

    /// The width of the same interval without any RSSI.
    static func priorWidthCentimetres(coverage: Double, rangeCentimetres: Double) -> Int {
        Int((coverage * Double(cellCount(rangeCentimetres))).rounded(.up)) * cellCentimetres
    }

    /// The likelihood of the RSSI per cell: a normal distribution's, up to a factor. With it, a stronger
    /// signal never reaches farther. A distribution with heavier tails would treat an extreme signal as
    /// useless, so that the strongest signals got wider intervals than strong ones.
    private func weights(rssiDBm: Double, deviationDB: Double) -> [Double] {
        let exponents = expectedRSSIDBm.map {
            let quotient = (rssiDBm - $0) / deviationDB
            return -quotient * quotient / 2
        }
        // Relative to the greatest, because a signal far from every expected one would make all of them zero.
        let greatest = exponents.max() ?? 0
        return exponents.map { exp($0 - greatest) }
    }

    private static func cellCount(_ rangeCentimetres: Double) -> Int {
        max(1, Int((rangeCentimetres / Double(cellCentimetres)).rounded(.up)))
    }

    private static func interval(_ cells: Range<Int>, of count: Int) -> DistanceInterval {
        DistanceInterval(
            lowerCentimetres: cells.lowerBound * cellCentimetres,
            // RSSI cannot exclude what lies beyond the last place that was measured.
            upperCentimetres: cells.upperBound == count ? nil : cells.upperBound * cellCentimetres,
            rangeCentimetres: count * cellCentimetres)
    }
}
