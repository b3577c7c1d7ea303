import EncounterLog

/// The properties of a peer besides its identity.
public struct PeerDescription: Sendable, Equatable {
    /// The advert by which the board found the peer; nil if that is lost.
    public var foundBy: PeerHint?
    /// In order of appearance.
    public var addresses: [RecordedAddress]
    /// Six bytes each, in on-air order.
    public var pseudoAddresses: [[UInt8]] = []
    /// The model that the device reports; nil if it was not read.
    public var model: String?
    public var manufacturer: String?

    public init(foundBy: PeerHint? = nil, addresses: [RecordedAddress] = []) {
        self.foundBy = foundBy
        self.addresses = addresses
    }

    init(of track: RecordedTrack) {
        self.init(foundBy: track.hint, addresses: [track.address].compactMap(\.self))
        for detail in track.details {
            switch detail.what {
            case .address(let address): add(address)
            case .pseudoAddress(let bytes): add(pseudoAddress: bytes)
            case .model(let text): model = text
            case .manufacturer(let text): manufacturer = text
            case .writtenRSSI, .other: break
            }
        }
    }

    /// Adds what was learnt later.
    mutating func add(_ later: PeerDescription) {
        model = later.model ?? model
        manufacturer = later.manufacturer ?? manufacturer
        for address in later.pseudoAddresses { add(pseudoAddress: address) }
        for address in later.addresses { add(address) }
    }

    private mutating func add(_ address: RecordedAddress) {
        if !addresses.contains(address) { addresses.append(address) }
    }

    private mutating func add(pseudoAddress: [UInt8]) {
        if !pseudoAddresses.contains(pseudoAddress) { pseudoAddresses.append(pseudoAddress) }
    }
}
