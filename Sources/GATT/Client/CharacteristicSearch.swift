/// A list of up to four UUIDs.
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

/// The service and characteristic that a client looks for on a peer, and what it reads.
public struct CharacteristicSearch: BitwiseCopyable, Sendable {
    /// The services in order of preference: the client uses the first that exists and has the characteristic.
    public var services: UUIDList
    /// The characteristic that the service must have; the client reads its value.
    public var characteristic: BluetoothUUID
    /// Other characteristics of the same service; the client only records whether and where they exist.
    public var others: UUIDList
    /// Whether the client first asks for a larger MTU.
    public var exchangesMTU: Bool
    /// Whether the client reads the value when everything has been found; if not, the search ends then.
    public var readsValue = true
    /// The number of bytes after which reading ends. Without this limit, reading would not end on a peer that
    /// answers every offset with the whole value.
    public var wantedByteCount = ATT.maximumValueByteCount

    public init(
        services: UUIDList, characteristic: BluetoothUUID, others: UUIDList = UUIDList(),
        exchangesMTU: Bool = true
    ) {
        self.services = services
        self.characteristic = characteristic
        self.others = others
        self.exchangesMTU = exchangesMTU
    }
}

/// A characteristic found on a peer.
public struct FoundCharacteristic: BitwiseCopyable, Equatable, Sendable {
    public let valueHandle: UInt16
    public let properties: CharacteristicProperties

    public init(valueHandle: UInt16, properties: CharacteristicProperties) {
        self.valueHandle = valueHandle
        self.properties = properties
    }
}

/// The results of a ``CharacteristicSearch`` so far.
public struct CharacteristicFindings: BitwiseCopyable, Sendable {
    /// The service to which the other results belong.
    public internal(set) var service: BluetoothUUID?
    public internal(set) var characteristic: FoundCharacteristic?
    private var others = InlineArray<4, FoundCharacteristic?>(repeating: nil)

    /// Returns the characteristic at `index` of ``CharacteristicSearch/others``.
    public func other(_ index: Int) -> FoundCharacteristic? {
        index >= 0 && index < UUIDList.capacity ? others[index] : nil
    }

    /// Records `found` if the search asked for it; the first of several instances is used.
    mutating func keep(_ found: FoundCharacteristic, _ uuid: BluetoothUUID, for search: CharacteristicSearch)
    {
        if uuid == search.characteristic, characteristic == nil { characteristic = found }
        if let index = search.others.firstIndex(of: uuid), others[index] == nil { others[index] = found }
    }
}
