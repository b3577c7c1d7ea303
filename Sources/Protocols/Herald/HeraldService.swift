import GATT

/// Herald's identifiers.
public enum HeraldService {
    /// FCF6, from version 2.1 on.
    public static let currentShort: UInt16 = 0xfcf6
    public static var current: BluetoothUUID { BluetoothUUID(currentShort) }

    /// The service before 2.1, which phones still look for: 428132af-4746-42d3-801e-4572d65bfd9b.
    public static var legacy: BluetoothUUID { BluetoothUUID(high: legacyHigh, low: legacyLow) }
    static let legacyHigh: UInt64 = 0x4281_32af_4746_42d3
    static let legacyLow: UInt64 = 0x801e_4572_d65b_fd9b

    /// The company identifiers in front of a pseudo device address: 05F1 from version 2.1 on, FFFA before.
    static let manufacturer: UInt16 = 0x05f1
    static let legacyManufacturer: UInt16 = 0xfffa
    /// The company identifier in front of Apple's messages, among them the services of apps in the
    /// background.
    static let apple: UInt16 = 0x004c

    public static var payload: BluetoothUUID { BluetoothUUID("3e98c0f8-8f05-4829-a121-43e38f8933e7") }
    /// Android phones and our boards host this one: it makes iPhones read the payload and disconnect.
    public static var compliantSignal: BluetoothUUID { BluetoothUUID("f617b813-092e-437a-8324-e09a80821a11") }
    /// iPhones host this one. If a board hosted it, they would hold a connection to it for ever.
    public static var nonCompliantSignal: BluetoothUUID {
        BluetoothUUID("0eb0d5f2-eae4-4a9a-8af3-a4adb02d4363")
    }

    /// Finds a peer's payload, preferably in the current service, and its signal characteristic: the
    /// compliant one is the first of the others, the other one the second.
    public static var discovery: CharacteristicSearch {
        var search = payloadSearch
        search.readsValue = false
        return search
    }

    /// Finds the model of a device, and, as the first of the others, its manufacturer (HP-O06).
    public static var deviceInformation: CharacteristicSearch {
        var search = CharacteristicSearch(
            services: UUIDList(BluetoothUUID(0x180a)), characteristic: BluetoothUUID(0x2a24),
            others: UUIDList(BluetoothUUID(0x2a29)), exchangesMTU: false)
        search.readsValue = false
        return search
    }

    /// Reads a peer's payload, preferably from the current service.
    public static var payloadSearch: CharacteristicSearch {
        CharacteristicSearch(
            services: UUIDList(current, legacy), characteristic: payload,
            others: UUIDList(compliantSignal, nonCompliantSignal))
    }
}
