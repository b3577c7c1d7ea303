import Archive
import FixedMemory

/// Converts a board's samples into consecutive scans. A board scans continuously and records samples of some
/// seconds; a phone scans for four seconds every few minutes. Each scan here stands for the time since the
/// previous one.
enum SampledScans {
    /// Samples that begin within this time form one scan. ``ExposureWindow`` would merge closer scans anyway
    /// (`ExposureWindow.scanGapSeconds`) and lose their duration.
    static let shortest = Interval.seconds(7)
    /// The longest silence within a contact; after a longer one the peer was out of range.
    static let longestGap = EncounterAssembly.defaultEncounterTimeout

    private static let longestScan = Interval.seconds(UInt64(ExposureWindow.maximumSecondsSinceLastScan))

    struct Sample: Equatable {
        var start: WallClockTime
        var end: WallClockTime
        var attenuationDB: Int
    }

    /// - Parameter samples: of one key at one board, in any order, with times after 1970.
    static func sightings(of samples: [Sample]) -> [ExposureSighting] {
        var scans: [[Sample]] = []
        for sample in samples.sorted(by: { $0.start < $1.start }) {
            if let start = scans.last?.first?.start,
                sample.start - start < shortest
            {
                scans[scans.count - 1].append(sample)
            } else {
                scans.append([sample])
            }
        }
        var previousEnd: WallClockTime?
        return scans.flatMap { scan in
            let start = scan[0].start
            // The log is untrusted, so a sample may have any end; no scan counts for longer than the maximum.
            let end = min(
                scan.reduce(start) { max($0, $1.end) }, start + longestScan)
            let isContinued = previousEnd.map { start.interval(since: $0) <= longestGap } ?? false
            let from = isContinued ? previousEnd ?? start : start
            previousEnd = max(previousEnd ?? end, end)
            // Rounding each moment instead of each scan keeps the sum exact.
            let seconds = max(isContinued ? 0 : 1, Int(end.nearestSecond) - Int(from.nearestSecond))
            return scan.map {
                ExposureSighting(
                    unixSeconds: start.seconds, attenuationDB: $0.attenuationDB,
                    secondsSinceLastScan: seconds)
            }
        }
    }
}

extension WallClockTime {
    fileprivate var nearestSecond: UInt64 { (self + .milliseconds(500)).seconds }
}
