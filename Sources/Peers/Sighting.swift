import EncounterLog
import HCI

/// One advertising report of a peer, as a protocol understood it.
public struct Sighting: BitwiseCopyable, Sendable {
    public let address: DeviceAddress
    // Not optionals, each of which would take two registers on the scan path (docs/bounds.md).
    let rawRSSI: Int8
    let rawTransmitPower: Int8
    public let interest: PeerInterest
    /// How the peer was recognised, as the log writes it (see ``EncounterOpenedEntry``).
    public let foundBy: PeerHint
    public let isConnectable: Bool

    /// `rawRSSI`, `rawTransmitPower`: in dBm; a value that is none for one that is not known.
    @inline(__always)
    public init(
        address: DeviceAddress, rawRSSI: Int8, rawTransmitPower: Int8, interest: PeerInterest,
        foundBy: PeerHint, isConnectable: Bool
    ) {
        self.address = address
        self.rawRSSI = rawRSSI
        self.rawTransmitPower = rawTransmitPower
        self.interest = interest
        self.foundBy = foundBy
        self.isConnectable = isConnectable
    }

    public init(
        address: DeviceAddress, rssi: RSSI?, transmitPower: TransmitPower?, interest: PeerInterest,
        foundBy: PeerHint, isConnectable: Bool
    ) {
        self.init(
            address: address, rawRSSI: rssi?.dBm ?? RSSI.unknownDBm,
            rawTransmitPower: transmitPower?.dBm ?? TransmitPower.unknownDBm, interest: interest,
            foundBy: foundBy, isConnectable: isConnectable)
    }

    /// The same of somebody who is found by an advert of another scheme than Herald. Who is not of Herald besides has
    /// nothing to be asked for.
    public func found(by hint: PeerHint) -> Sighting {
        if interest == .participant { return self }
        return Sighting(
            address: address, rawRSSI: rawRSSI, rawTransmitPower: rawTransmitPower, interest: .advertiser,
            foundBy: hint, isConnectable: isConnectable)
    }

    @inline(__always)
    public var rssi: RSSI? { RSSI(dBm: rawRSSI) }
}
