import EncounterLog
import HCI

extension PeerHint {
    /// The interest that an advert of another scheme than Herald gives its sender.
    var interest: PeerInterest {
        switch self {
        case .sonar, .covidTracer, .bleProximity: .participant
        case .emptyAdvert: .candidate
        // An advertiser serves nothing that the agent could read.
        default: .advertiser
        }
    }
}

/// One advertising report of a peer, as parsed by a protocol.
public struct Sighting: BitwiseCopyable, Sendable {
    public let address: DeviceAddress
    // Not optionals, each of which would take two registers on the scan path (docs/bounds.md).
    let rawRSSI: Int8
    let rawTransmitPower: Int8
    public let interest: PeerInterest
    /// How the peer was recognised, as the log writes it (see ``EncounterOpenedEntry``).
    public let foundBy: PeerHint
    public let isConnectable: Bool

    /// `rawRSSI`, `rawTransmitPower`: in dBm; an out-of-range value if unknown.
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

    /// The same sighting, recognised by an advert of another scheme than Herald.
    public func found(by hint: PeerHint) -> Sighting {
        guard hint.interest > interest else { return self }
        return Sighting(
            address: address, rawRSSI: rawRSSI, rawTransmitPower: rawTransmitPower, interest: hint.interest,
            foundBy: hint, isConnectable: isConnectable)
    }

    @inline(__always)
    public var rssi: RSSI? { RSSI(dBm: rawRSSI) }
}
