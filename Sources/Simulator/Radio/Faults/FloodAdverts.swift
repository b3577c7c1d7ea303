import HCI

/// The adverts of a flood that somebody sends on purpose.
public struct FloodAdverts: Sendable {
    /// The number of addresses that take turns; nil for a new address in each advert.
    public var addressCount: UInt64?
    /// The number of adverts in succession from each address.
    public var advertsPerAddress: UInt64
    public var isConnectable: Bool
    public var data: [UInt8]

    /// Flags and Herald's service: the shortest advert that takes part.
    public static let herald: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0x03, 0xf6, 0xfc]

    public init(
        addressCount: UInt64? = nil, advertsPerAddress: UInt64 = 1, isConnectable: Bool = false,
        data: [UInt8] = Self.herald
    ) {
        self.advertsPerAddress = advertsPerAddress
        self.addressCount = addressCount
        self.isConnectable = isConnectable
        self.data = data
    }

    /// The advert with this number.
    func advert(_ number: UInt64) -> Advertisement {
        let turn = number / advertsPerAddress
        let address = DeviceAddress.staticRandom(
            seed: 0x3100_0000_0000 | (addressCount.map { turn % $0 } ?? turn))
        return Advertisement(
            address: address, kind: isConnectable ? .connectable : .nonConnectable, data: data)
    }
}
