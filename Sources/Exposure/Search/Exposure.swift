import Archive
import FixedMemory
import LogContents
import Schemes

/// An exposure: one encounter whose identifier belongs to a published key.
public struct Exposure: Equatable, Sendable {
    public let encounter: Encounter
    public let published: PublishedKey
    /// The ten-minute interval of the identifier.
    public let interval: ExposureNotificationInterval
    /// The samples of the encounter within the time tolerance and the retention time.
    public let samples: [Sample<WallClockTime>]
    /// The transmit power in the metadata; nil if it is not a value that phones use, so the attenuation is
    /// unknown.
    public let txPowerDBm: Int8?
    /// How well the sender's power is calibrated, as its metadata say: 0 lowest to 3 high.
    public let calibrationConfidence: UInt8

    /// The attenuation over all RSSI readings, in dB; nil if unknown.
    public func attenuationDB(receiverCorrectionDB: Int) -> Double? {
        guard let txPowerDBm, let rssi = RSSISummary(samples) else { return nil }
        return Double(txPowerDBm) - rssi.meanDBm - Double(receiverCorrectionDB)
    }
}

/// An exposure window at one board: at most half an hour near a person who fell ill.
public struct BoardExposureWindow: Equatable, Sendable {
    public let board: LogIdentity
    public let published: PublishedKey
    public let window: ExposureWindow
    /// The lowest of the metadata of the key's encounters: 0 lowest to 3 high.
    public let calibrationConfidence: UInt8

    /// The duration of the window.
    public var seconds: Int { window.scans.reduce(0) { $0 + $1.secondsSinceLastScan } }

    /// The mean attenuation; each scan is weighted by its duration.
    public var attenuationDB: Double {
        let sum = window.scans.reduce(0.0) { $0 + Double($1.typicalAttenuationDB * $1.secondsSinceLastScan) }
        return sum / Double(max(1, seconds))
    }
}
