/// Up to half an hour near a person who fell ill, as phones report it to an app. A window has one key's
/// receptions, scan by scan.
///
/// Source: google/exposure-notifications-internals at aaada6c. Its constants are those that phones shipped
/// with.
public struct ExposureWindow: Equatable, Sendable {
    public static let maximumSeconds: UInt64 = 1_800
    /// Receptions no further apart than this belong to one scan, which takes four seconds; the next begins
    /// minutes later.
    public static let scanGapSeconds: UInt64 = 6
    public static let maximumSecondsSinceLastScan = 300
    public static let defaultSecondsSinceLastScan = 120

    /// The window's start, since 1970 UTC.
    public let startSeconds: UInt64
    public let infectiousness: Infectiousness
    public let reportType: ExposureReportType
    public private(set) var scans: [Scan]

    /// One scan's receptions of the key.
    public struct Scan: Equatable, Sendable {
        public private(set) var attenuationsDB: [Int]
        /// The time that the scan represents: 5 minutes at most, 2 if unknown.
        public let secondsSinceLastScan: Int

        /// The mean, rounded, halves up.
        public var typicalAttenuationDB: Int {
            let sum = attenuationsDB.reduce(0, +)
            return Int((Double(sum) / Double(attenuationsDB.count) + 0.5).rounded(.down))
        }

        public var minimumAttenuationDB: Int { attenuationsDB.min() ?? 0 }

        init(_ sighting: ExposureSighting) {
            attenuationsDB = [sighting.attenuationDB]
            let seconds = sighting.secondsSinceLastScan ?? ExposureWindow.defaultSecondsSinceLastScan
            secondsSinceLastScan = max(0, min(seconds, ExposureWindow.maximumSecondsSinceLastScan))
        }

        mutating func add(_ sighting: ExposureSighting) { attenuationsDB.append(sighting.attenuationDB) }
    }

    /// Groups one key's receptions, in any order, into windows.
    public static func windows(
        of sightings: [ExposureSighting], infectiousness: Infectiousness, reportType: ExposureReportType
    ) -> [ExposureWindow] {
        var windows: [ExposureWindow] = []
        var previous: UInt64?
        for sighting in sightings.sorted(by: { $0.unixSeconds < $1.unixSeconds }) {
            let seconds = sighting.unixSeconds
            if let current = windows.last, seconds - current.startSeconds < maximumSeconds {
                let isSameScan = previous.map { seconds - $0 <= scanGapSeconds } ?? false
                windows[windows.count - 1].add(sighting, toLastScan: isSameScan)
            } else {
                windows.append(
                    ExposureWindow(
                        startSeconds: seconds, infectiousness: infectiousness, reportType: reportType,
                        scans: [Scan(sighting)]))
            }
            previous = seconds
        }
        return windows
    }

    /// The window with its scans in random order, because their order in time would reveal too much to an
    /// app.
    public func shuffled(using generator: inout some RandomNumberGenerator) -> ExposureWindow {
        var window = self
        window.scans.shuffle(using: &generator)
        return window
    }

    private mutating func add(_ sighting: ExposureSighting, toLastScan isSameScan: Bool) {
        if isSameScan { scans[scans.count - 1].add(sighting) } else { scans.append(Scan(sighting)) }
    }
}
