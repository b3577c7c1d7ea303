import Exposure
import Ranging

/// Time by attenuation, with the names and the usual thresholds of Exposure Notification on phones.
public struct AttenuationSeconds: Encodable, Sendable {
    /// Up to 50 dB.
    public let immediate: Int
    /// Up to 70 dB.
    public let near: Int
    /// Up to 90 dB.
    public let medium: Int
    public let other: Int

    init(_ window: BoardExposureWindow) {
        let buckets = AttenuationBuckets(
            ofScans: window.window.scans.map { ($0.secondsSinceLastScan, $0.typicalAttenuationDB) })
        immediate = Int(buckets.immediateSeconds)
        near = Int(buckets.nearSeconds)
        medium = Int(buckets.mediumSeconds)
        other = Int(buckets.otherSeconds)
    }
}
