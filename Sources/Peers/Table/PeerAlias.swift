import HCI

/// The addresses of a peer whose key is a pseudo address.
struct PeerAlias: BitwiseCopyable {
    /// The address under which it was last heard.
    var address: DeviceAddress
    /// The address before that.
    var previousAddress: DeviceAddress
    /// The address under which its identity was last read.
    var askedAddress: DeviceAddress?
    /// How often it returned to its previous address, as no single device does.
    var returns: UInt8 = 0

    init(address: DeviceAddress) {
        self.address = address
        previousAddress = address
    }
}
