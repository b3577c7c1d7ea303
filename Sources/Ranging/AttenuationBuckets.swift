/// The time of a contact by attenuation, as Exposure Notification has it.
///
/// Attenuation is the transmit power less the sum of RSSI and the receiver's correction (Google, "BLE
/// attenuations", developers.google.com/android/exposure-notifications/ble-attenuation-overview). Categories
/// and default thresholds are those of Apple's `ENExposureConfiguration.attenuationDurationThresholds`,
/// accepted powers and rounding those of Google's exposure-notifications-internals. It needs no walk test,
/// but no metres follow from it either.
public struct AttenuationBuckets: Sendable, Equatable {
    /// Upper bounds, inclusive, of the first three of the four buckets.
    public struct Thresholds: Sendable, Equatable {
        /// The defaults of iOS.
        public static let exposureNotification = Thresholds(unchecked: (50, 70, 90))

        public let immediateDB: Int
        public let nearDB: Int
        public let mediumDB: Int

        /// - Returns: nil if the bounds fall, or are outside 0 to 255 dB (`ENAttenuation`).
        public init?(immediateDB: Int, nearDB: Int, mediumDB: Int) {
            guard 0 <= immediateDB, immediateDB <= nearDB, nearDB <= mediumDB, mediumDB <= 255 else {
                return nil
            }
            self.init(unchecked: (immediateDB, nearDB, mediumDB))
        }

        private init(unchecked bounds: (Int, Int, Int)) { (immediateDB, nearDB, mediumDB) = bounds }
    }

    /// Part of a contact, such as a sample.
    public struct Part: Sendable, Equatable {
        public let seconds: Double
        public let meanRSSIDBm: Double
        /// The calibrated power, as Exposure Notification's metadata state it; nil if the transmitter states
        /// none. It is not the power level that advertisements may have beside it, which nobody calibrates.
        public let txPowerDBm: Int?

        /// - Returns: nil if the duration is negative or longer than a day, or the mean is no RSSI.
        public init?(seconds: Double, meanRSSIDBm: Double, txPowerDBm: Int?) {
            guard (0...86_400).contains(seconds), WalkTest.allowedRSSIDBm.contains(meanRSSIDBm) else {
                return nil
            }
            self.seconds = seconds
            self.meanRSSIDBm = meanRSSIDBm
            self.txPowerDBm = txPowerDBm
        }

        /// Nil if the power is unknown, or one that no phone has: anyone can change the metadata in flight.
        public func attenuationDB(receiverCorrectionDB: Int = 0) -> Int? {
            guard let txPowerDBm, AttenuationBuckets.allowedPowersDBm.contains(txPowerDBm),
                AttenuationBuckets.allowedCorrectionsDB.contains(receiverCorrectionDB)
            else { return nil }
            // Exposure Notification's typical attenuation of a scan is a rounded mean.
            return max(0, txPowerDBm - Int((meanRSSIDBm + Double(receiverCorrectionDB)).rounded()))
        }
    }

    /// The powers that Exposure Notification accepts.
    public static let allowedPowersDBm = -50...20
    public static let allowedCorrectionsDB = -100...100

    public private(set) var immediateSeconds = 0.0
    public private(set) var nearSeconds = 0.0
    public private(set) var mediumSeconds = 0.0
    public private(set) var otherSeconds = 0.0
    /// Attenuation needs a transmit power, and a guessed one could move time to any bucket.
    public private(set) var unknownSeconds = 0.0

    /// - Parameter scans: the time that each scan stands for, and its attenuation.
    public init(
        ofScans scans: some Sequence<(seconds: Int, attenuationDB: Int)>,
        thresholds: Thresholds = .exposureNotification
    ) {
        for scan in scans { add(Double(scan.seconds), scan.attenuationDB, thresholds) }
    }

    public init(
        _ parts: some Sequence<Part>, thresholds: Thresholds = .exposureNotification,
        receiverCorrectionDB: Int = 0
    ) {
        for part in parts {
            add(part.seconds, part.attenuationDB(receiverCorrectionDB: receiverCorrectionDB), thresholds)
        }
    }

    private mutating func add(_ seconds: Double, _ attenuationDB: Int?, _ thresholds: Thresholds) {
        switch attenuationDB {
        case nil: unknownSeconds += seconds
        case let loss? where loss <= thresholds.immediateDB: immediateSeconds += seconds
        case let loss? where loss <= thresholds.nearDB: nearSeconds += seconds
        case let loss? where loss <= thresholds.mediumDB: mediumSeconds += seconds
        case _?: otherSeconds += seconds
        }
    }
}
