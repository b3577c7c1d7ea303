import FixedMemory

/// The properties that a controller reported during bring-up.
public struct ControllerInformation: Sendable, BitwiseCopyable {
    public internal(set) var hciVersion: UInt8 = 0
    public internal(set) var manufacturer: UInt16 = 0
    public internal(set) var firmware: UInt16 = 0
    public internal(set) var publicAddress = DeviceAddress(value: 0, isRandom: false)
    public internal(set) var supportedCommands = Bytes<64>()
    public internal(set) var lowEnergyFeatures: UInt64 = 0
    /// The maximum data length of an ACL packet sent to the controller, in bytes.
    public internal(set) var aclDataByteCount = 27
    /// The number of such packets that the controller can buffer.
    public internal(set) var aclPacketCount = 1
    /// The controller keeps its own choice of events. The default of the first mask has no LE events, that of
    /// the second has all events of Bluetooth 4.0.
    public internal(set) var refusesEventMask = false
    public internal(set) var refusesLowEnergyEventMask = false
    /// Whether the controller keeps one of them.
    public var refusesMask: Bool { refusesEventMask || refusesLowEnergyEventMask }
    /// The controller has not told all of the above.
    public internal(set) var isIncomplete = false
    /// The board sends under ``publicAddress``.
    public internal(set) var usesPublicAddress = false

    public init() {}

    /// Whether the controller reports support for all extended commands of ``Command``. Some controllers
    /// report the feature but lack the commands, so both are checked. Source: Bluetooth Core 5.4, Vol 6, Part
    /// B, 4.6, bit 12; Vol 4, Part E, 6.27: octet 36, bits 1 to 3 and 5 (advertising), octet 37, bits 5 to 7
    /// (scanning, connecting).
    public var hasExtendedCommands: Bool {
        !refusesLowEnergyEventMask && lowEnergyFeatures & 1 << 12 != 0 && supportedCommands[36] & 0x2e == 0x2e
            && supportedCommands[37] & 0xe0 == 0xe0
    }

    /// Whether ``publicAddress`` may be sent: a chip without an address of its own reports zeros or ones.
    public var hasPublicAddress: Bool {
        publicAddress.value != 0 && publicAddress.value != 0xffff_ffff_ffff
    }

    /// Whether the address is a chip's default, reported when its firmware patch is missing. Several such
    /// boards at one site would share it. Source: the bluez-firmware and btbcm lists of default addresses.
    public var hasPlaceholderAddress: Bool {
        let value = publicAddress.value
        return value == 0 || value == 0xaaaa_aaaa_aaaa || value >> 24 == 0x43_45c0 || value >> 24 == 0x43_43a0
    }
}
