/// That an identifier of a published key was heard once.
public struct ExposureSighting: Equatable, Sendable {
    /// Powers that phones have.
    public static let powersDBm: ClosedRange<Int8> = -50...20

    /// Since 1970 UTC.
    public var unixSeconds: UInt64
    /// What was lost on the way: the sender's power, which its metadata tell, less the receiver's reading and correction.
    public var attenuationDB: Int
    /// How long the receiver had not listened before it began the scan; nil when nobody knows.
    public var secondsSinceLastScan: Int?

    public init(unixSeconds: UInt64, attenuationDB: Int, secondsSinceLastScan: Int? = nil) {
        self.unixSeconds = unixSeconds
        self.attenuationDB = attenuationDB
        self.secondsSinceLastScan = secondsSinceLastScan
    }

    /// - Returns: nil where the metadata, which anybody can change in flight, tell of a power that no phone has.
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
