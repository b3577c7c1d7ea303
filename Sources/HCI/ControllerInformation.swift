import FixedMemory

/// What a controller told about itself while it was brought up.
public struct ControllerInformation: Sendable, BitwiseCopyable {
    public internal(set) var hciVersion: UInt8 = 0
    public internal(set) var manufacturer: UInt16 = 0
    public internal(set) var firmware: UInt16 = 0
    public internal(set) var publicAddress = DeviceAddress(value: 0, isRandom: false)
    public internal(set) var supportedCommands = Bytes<64>()
    public internal(set) var lowEnergyFeatures: UInt64 = 0
    /// The most bytes of data in one ACL packet to the controller.
    public internal(set) var aclDataByteCount = 27
    /// How many such packets the controller holds at once.
    public internal(set) var aclPacketCount = 1

    public init() {}

    /// Whether it says that it knows all extended commands of ``Command``: some have the feature, and not its commands.
    /// Source: Bluetooth Core 5.4, Vol 6, Part B, 4.6, bit 12; Vol 4, Part E, 6.27: octet 36, bits 1 to 3 and 5
    /// (advertising), octet 37, bits 5 to 7 (scanning, connecting).
    public var hasExtendedCommands: Bool {
        lowEnergyFeatures & 1 << 12 != 0 && supportedCommands[36] & 0x2e == 0x2e
            && supportedCommands[37] & 0xe0 == 0xe0
    }

    /// A chip whose firmware patch is missing answers with such an address; several on one site would be one.
    /// Source: the bluez-firmware and btbcm lists of default addresses.
    public var hasPlaceholderAddress: Bool {
        let value = publicAddress.value
        return value == 0 || value == 0xaaaa_aaaa_aaaa || value >> 24 == 0x43_45c0 || value >> 24 == 0x43_43a0
    }
}
