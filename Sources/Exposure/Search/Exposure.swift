import Archive
import LogContents
import Schemes

/// That a board met somebody who published his keys afterwards: one encounter, and the key it belongs to.
public struct Exposure: Equatable, Sendable {
    public let encounter: Encounter
    public let published: PublishedKey
    /// The ten minutes that the identifier is of.
    public let interval: ExposureNotificationInterval
    /// Of the encounter, those heard within the tolerance and not too long ago.
    public let samples: [Sample]
    /// Out of the metadata; nil where it is none that a phone has, so that nobody knows how near the phone was.
    public let txPowerDBm: Int8?

    /// What was lost on the way, over all readings, in dB; nil where nobody knows.
    public func attenuationDB(receiverCorrectionDB: Int) -> Double? {
        guard let txPowerDBm, let rssi = RSSISummary(samples) else { return nil }
        return Double(txPowerDBm) - rssi.meanDBm - Double(receiverCorrectionDB)
    }
}

/// Half an hour at most near somebody who fell ill, at one board.
public struct BoardExposureWindow: Equatable, Sendable {
    public let board: LogIdentity
    public let published: PublishedKey
    public let window: ExposureWindow

    /// For how long.
    public var seconds: Int { window.scans.reduce(0) { $0 + $1.secondsSinceLastScan } }

    /// Each scan weighted with its time.
    public var attenuationDB: Double {
        let sum = window.scans.reduce(0.0) { $0 + Double($1.typicalAttenuationDB * $1.secondsSinceLastScan) }
        return sum / Double(max(1, seconds))
    }
}
