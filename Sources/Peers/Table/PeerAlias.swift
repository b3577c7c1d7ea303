import HCI

/// The addresses of a peer that is known by a pseudo one.
struct PeerAlias: BitwiseCopyable {
    /// The one it was last heard under.
    var address: DeviceAddress
    /// The one before.
    var previousAddress: DeviceAddress
    /// The one under which it was last asked for its identity.
    var askedAddress: DeviceAddress?
    /// How often it went back to the address before, as no device does.
    var returns: UInt8 = 0

    init(address: DeviceAddress) {
        self.address = address
        previousAddress = address
    }
}
