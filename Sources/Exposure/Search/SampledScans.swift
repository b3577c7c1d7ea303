import Archive

/// Converts a board's samples into consecutive scans. A board scans continuously and records samples of some
/// seconds; a phone scans for four seconds every few minutes. Each scan here stands for the time since the
/// previous one.
enum SampledScans {
    /// Samples that begin within this time form one scan. ``ExposureWindow`` would merge closer scans anyway
    /// (`ExposureWindow.scanGapSeconds`) and lose their duration.
    static let shortestMilliseconds: Int64 = 7_000
    /// The longest silence within a contact; after a longer one the peer was out of range.
    static let longestGapMilliseconds = EncounterAssembly.defaultGapMilliseconds

    private static let longestScanMilliseconds = Int64(ExposureWindow.maximumSecondsSinceLastScan) * 1_000

    struct Sample: Equatable {
        var startMilliseconds: Int64
        var endMilliseconds: Int64
        var attenuationDB: Int
    }

    /// - Parameter samples: of one key at one board, in any order, with times after 1970.
    static func sightings(of samples: [Sample]) -> [ExposureSighting] {
        var scans: [[Sample]] = []
        for sample in samples.sorted(by: { $0.startMilliseconds < $1.startMilliseconds }) {
            if let start = scans.last?.first?.startMilliseconds,
                sample.startMilliseconds - start < shortestMilliseconds
            {
                scans[scans.count - 1].append(sample)
            } else {
                scans.append([sample])
            }
        }
        var previousEnd: Int64?
        return scans.flatMap { scan in
            let start = scan[0].startMilliseconds
            // The log is untrusted, so a sample may have any end; no scan counts for longer than the maximum.
            let end = min(
                scan.reduce(start) { max($0, $1.endMilliseconds) }, start + longestScanMilliseconds)
            let isContinued = previousEnd.map { start - $0 <= longestGapMilliseconds } ?? false
            let from = isContinued ? previousEnd ?? start : start
            previousEnd = max(previousEnd ?? end, end)
            // Rounding each moment instead of each scan keeps the sum exact.
            let seconds = max(isContinued ? 0 : 1, (end + 500) / 1_000 - (from + 500) / 1_000)
            return scan.map {
                ExposureSighting(
                    unixSeconds: UInt64(start / 1_000), attenuationDB: $0.attenuationDB,
                    secondsSinceLastScan: Int(seconds))
            }
        }
    }
}
