import Exposure

/// A window in the words of Exposure Notification's interface on Android (`ExposureWindow`, `ScanInstance`),
/// for programs that judge risk. Like a phone's, it says neither which key it was nor where.
public struct ExposureWindowDocument: Encodable, Sendable {
    /// The start of the day of the window, UTC, in milliseconds since 1970.
    public let dateMillisSinceEpoch: Int
    /// 0 unknown, 1 confirmed test, 2 clinical diagnosis, 3 self-report, 4 recursive, 5 revoked.
    public let reportType: Int
    /// 0 none, 1 standard, 2 high.
    public let infectiousness: Int
    /// 0 lowest, 1 low, 2 medium, 3 high.
    public let calibrationConfidence: Int
    public let scanInstances: [Scan]

    public struct Scan: Encodable, Sendable {
        public let typicalAttenuationDb: Int
        public let minAttenuationDb: Int
        public let secondsSinceLastScan: Int
    }

    public init(_ window: BoardExposureWindow) {
        dateMillisSinceEpoch = Int(window.window.startSeconds / 86_400) * 86_400_000
        reportType = window.window.reportType.rawValue
        infectiousness = window.window.infectiousness.rawValue
        calibrationConfidence = Int(window.calibrationConfidence)
        scanInstances = window.window.scans.map {
            Scan(
                typicalAttenuationDb: $0.typicalAttenuationDB, minAttenuationDb: $0.minimumAttenuationDB,
                secondsSinceLastScan: $0.secondsSinceLastScan)
        }
    }
}
