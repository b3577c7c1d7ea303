/// Up to four UUIDs.
public struct UUIDList: BitwiseCopyable, Sendable {
    public static let capacity = 4
    public let count: Int
    private let storage: InlineArray<4, BluetoothUUID>

    public init() {
        count = 0
        storage = InlineArray(repeating: BluetoothUUID(0))
    }

    public init(
        _ first: BluetoothUUID, _ second: BluetoothUUID? = nil, _ third: BluetoothUUID? = nil,
        _ fourth: BluetoothUUID? = nil
    ) {
        var storage = InlineArray<4, BluetoothUUID>(repeating: first)
        var count = 1
        if let second {
            storage[count] = second
            count += 1
        }
        if let third {
            storage[count] = third
            count += 1
        }
        if let fourth {
            storage[count] = fourth
            count += 1
        }
        self.storage = storage
        self.count = count
    }

    public subscript(index: Int) -> BluetoothUUID {
        precondition(index < count)
        return storage[index]
    }

    public func firstIndex(of uuid: BluetoothUUID) -> Int? {
        for index in 0..<count where storage[index] == uuid { return index }
        return nil
    }
}

/// What a client is to look for on a peer, and read.
public struct CharacteristicSearch: BitwiseCopyable, Sendable {
    /// In order of preference: the first that is there and has the characteristic is used.
    public var services: UUIDList
    /// The one that the service must have, and whose value is read.
    public var characteristic: BluetoothUUID
    /// Others in the same service: only whether and where they are is wanted.
    public var noted: UUIDList
    /// Whether to ask for a larger MTU first.
    public var exchangesMTU: Bool
    /// Whether the value is read at once; if not, the search ends when everything has been found.
    public var readsValue = true
    /// Nobody wants more of the value: reading ends there. A peer that answers with all of it at any offset would never end.
    public var wantedByteCount = ATT.maximumValueByteCount

    public init(
        services: UUIDList, characteristic: BluetoothUUID, noted: UUIDList = UUIDList(),
        exchangesMTU: Bool = true
    ) {
        self.services = services
        self.characteristic = characteristic
        self.noted = noted
        self.exchangesMTU = exchangesMTU
    }
}

/// A characteristic on a peer.
public struct FoundCharacteristic: BitwiseCopyable, Equatable, Sendable {
    public let valueHandle: UInt16
    public let properties: CharacteristicProperties

    public init(valueHandle: UInt16, properties: CharacteristicProperties) {
        self.valueHandle = valueHandle
        self.properties = properties
    }
}

/// What a ``CharacteristicSearch`` has found so far.
public struct CharacteristicFindings: BitwiseCopyable, Sendable {
    /// The service that the rest is about.
    public internal(set) var service: BluetoothUUID?
    public internal(set) var characteristic: FoundCharacteristic?
    private var noted = InlineArray<4, FoundCharacteristic?>(repeating: nil)

    /// The one asked for at `index` of ``CharacteristicSearch/noted``.
    public func noted(_ index: Int) -> FoundCharacteristic? {
        index >= 0 && index < UUIDList.capacity ? noted[index] : nil
    }

    /// Keeps `found` if it was asked for; the first of several counts.
    mutating func keep(_ found: FoundCharacteristic, _ uuid: BluetoothUUID, for search: CharacteristicSearch)
    {
        if uuid == search.characteristic, characteristic == nil { characteristic = found }
        if let index = search.noted.firstIndex(of: uuid), noted[index] == nil { noted[index] = found }
    }
}
