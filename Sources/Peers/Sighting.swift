import EncounterLog
import HCI

/// One advertising report of a peer, as a protocol understood it.
public struct Sighting: BitwiseCopyable, Sendable {
    public let address: DeviceAddress
    public let rssi: RSSI?
    public let transmitPower: TransmitPower?
    public let interest: PeerInterest
    /// How the peer was recognised, as the log writes it (see ``EncounterOpenedEntry``).
    public let foundBy: PeerHint
    public let isConnectable: Bool

    @inline(__always)
    public init(
        address: DeviceAddress, rssi: RSSI?, transmitPower: TransmitPower?, interest: PeerInterest,
        foundBy: PeerHint,
        isConnectable: Bool
    ) {
        self.address = address
        self.rssi = rssi
        self.transmitPower = transmitPower
        self.interest = interest
        self.foundBy = foundBy
        self.isConnectable = isConnectable
    }
}
