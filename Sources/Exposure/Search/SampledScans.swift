import Archive

/// A board listens all the time and writes samples of some seconds; a phone listens for four seconds every few minutes. Here
/// samples become scans that follow one another, each standing for the time since the one before.
enum SampledScans {
    /// Samples that begin within so long are one scan: what is nearer would be taken for one anyway
    /// (`ExposureWindow.scanGapSeconds`), and its time be lost.
    static let shortestMilliseconds: Int64 = 7_000
    /// After a longer silence somebody was away.
    static let longestGapMilliseconds = EncounterAssembly.defaultGapMilliseconds

    private static let longestScanMilliseconds = Int64(ExposureWindow.maximumSecondsSinceLastScan) * 1_000

    struct Sample: Equatable {
        var startMilliseconds: Int64
        var endMilliseconds: Int64
        var attenuationDB: Int
    }

    /// - Parameter samples: of one key at one board, in any order; times since 1970, none before.
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
            // A log may claim any end; and no scan counts for longer.
            let end = min(
                scan.reduce(start) { max($0, $1.endMilliseconds) }, start + longestScanMilliseconds)
            let isContinued = previousEnd.map { start - $0 <= longestGapMilliseconds } ?? false
            let from = isContinued ? previousEnd ?? start : start
            previousEnd = max(previousEnd ?? end, end)
            // Each moment is rounded, and not each scan: so they add up.
            let seconds = max(isContinued ? 0 : 1, (end + 500) / 1_000 - (from + 500) / 1_000)
            return scan.map {
                ExposureSighting(
                    unixSeconds: UInt64(start / 1_000), attenuationDB: $0.attenuationDB,
                    secondsSinceLastScan: Int(seconds))
            }
        }
    }
}
