import HCI

/// The addresses of a peer whose key is a pseudo address.
struct PeerAlias: BitwiseCopyable {
    /// The address under which it was last heard.
    var address: DeviceAddress
    /// The address before that.
    var previousAddress: DeviceAddress
    /// The address under which its identity was last read.
    var askedAddress: DeviceAddress?
    /// How often it was heard under this address, at most ``settledCount``; larger if another peer was heard
    /// there before it, so that it never counts as settled.
    private var sightings: UInt8 = 0
    /// How often it returned to its previous address, as no single device does.
    var returns: UInt8 = 0

    /// An attacker who sends this peer's pseudo address under another's address is interrupted by this peer,
    /// several times a second.
    private static var settledCount: UInt8 { 3 }

    init(address: DeviceAddress) {
        self.address = address
        previousAddress = address
    }

    /// Whether the address is this peer's rather than that of another peer whose pseudo address is heard
    /// under it.
    var isSettled: Bool { sightings == Self.settledCount }

    mutating func wasHeardAgain() {
        if sightings < Self.settledCount { sightings += 1 }
    }

    mutating func move(to address: DeviceAddress, isShared: Bool) {
        if address == previousAddress { returns += 1 }
        previousAddress = self.address
        self.address = address
        sightings = isShared ? .max : 0
    }
}
