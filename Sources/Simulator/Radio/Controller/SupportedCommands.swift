import HCI

/// The bitmap of the commands that a controller supports. Source: Bluetooth Core 5.4, Vol 4, Part E, 6.27.
struct SupportedCommands {
    private(set) var bytes = [UInt8](repeating: 0, count: 64)

    /// The bit of each command. Read Local Supported Commands is left out because it has none.
    private static let places: [(opCode: OpCode, octet: Int, bit: UInt8)] = [
        (.disconnect, 0, 5), (.setEventMask, 5, 6), (.reset, 5, 7), (.readLocalVersion, 14, 3),
        (.readBufferSize, 14, 7), (.readDeviceAddress, 15, 1), (.readRSSI, 15, 5),
        (.leSetEventMask, 25, 0), (.leReadBufferSize, 25, 1), (.leReadLocalFeatures, 25, 2),
        (.leSetRandomAddress, 25, 4), (.leSetAdvertisingParameters, 25, 5), (.leSetAdvertisingData, 25, 7),
        (.leSetScanResponseData, 26, 0), (.leSetAdvertisingEnable, 26, 1), (.leSetScanParameters, 26, 2),
        (.leSetScanEnable, 26, 3), (.leCreateConnection, 26, 4), (.leCreateConnectionCancel, 26, 5),
        (.leConnectionUpdate, 27, 2), (.leLongTermKeyRequestNegativeReply, 28, 2),
        (.leSetAdvertisingSetRandomAddress, 36, 1), (.leSetExtendedAdvertisingParameters, 36, 2),
        (.leSetExtendedAdvertisingData, 36, 3), (.leSetExtendedAdvertisingEnable, 36, 5),
        (.leSetExtendedScanParameters, 37, 5), (.leSetExtendedScanEnable, 37, 6),
        (.leExtendedCreateConnection, 37, 7),
    ]

    init(where isKnown: (OpCode) -> Bool) {
        for place in Self.places where isKnown(place.opCode) { bytes[place.octet] |= 1 << place.bit }
    }
}
