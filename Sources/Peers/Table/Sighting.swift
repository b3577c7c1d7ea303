import EncounterLog
import HCI

extension PeerHint {
    /// Of adverts of other schemes than Herald: what their sender is.
    var interest: PeerInterest {
        switch self {
        case .sonar, .covidTracer, .bleProximity: .participant
        case .emptyAdvert: .candidate
        // It has nothing to be asked for.
        default: .advertiser
        }
    }
}

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

    /// The same of somebody who is found by an advert of another scheme than Herald.
    public func found(by hint: PeerHint) -> Sighting {
        guard hint.interest > interest else { return self }
        return Sighting(
            address: address, rawRSSI: rawRSSI, rawTransmitPower: rawTransmitPower, interest: hint.interest,
            foundBy: hint, isConnectable: isConnectable)
    }

    @inline(__always)
    public var rssi: RSSI? { RSSI(dBm: rawRSSI) }
}
