/// One reception of an identifier that belongs to a published key.
public struct ExposureSighting: Equatable, Sendable {
    /// The transmit powers that phones can have.
    public static let powersDBm: ClosedRange<Int8> = -50...20

    /// Since 1970 UTC.
    public var unixSeconds: UInt64
    /// The loss on the way: the sender's power according to its metadata, less the receiver's RSSI and
    /// correction.
    public var attenuationDB: Int
    /// How long the receiver had not scanned before this scan; nil if unknown.
    public var secondsSinceLastScan: Int?

    public init(unixSeconds: UInt64, attenuationDB: Int, secondsSinceLastScan: Int? = nil) {
        self.unixSeconds = unixSeconds
        self.attenuationDB = attenuationDB
        self.secondsSinceLastScan = secondsSinceLastScan
    }

    /// - Returns: nil if the metadata state a power that no phone has. Anyone can change metadata in flight.
    public init?(
        unixSeconds: UInt64, txPowerDBm: Int8, rssiDBm: Int8, receiverCorrectionDB: Int = 0,
        secondsSinceLastScan: Int? = nil
    ) {
        guard Self.powersDBm.contains(txPowerDBm) else { return nil }
        self.init(
            unixSeconds: unixSeconds,
            attenuationDB: Int(txPowerDBm) - (Int(rssiDBm) + receiverCorrectionDB),
            secondsSinceLastScan: secondsSinceLastScan)
    }
}
