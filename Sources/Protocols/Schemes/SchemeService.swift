import GATT
import Peers

/// Where phones keep what they say of themselves, of the schemes that are asked for over links. Sources: docs/schemes.md.
extension LinkScheme {
    public var service: BluetoothUUID {
        switch self {
        case .sonar: BluetoothUUID("c1f5983c-fa94-4ac8-8e2e-bb86d6de9b21")
        case .covidTracer: BluetoothUUID("22fc7440-9ed6-48b8-85b3-da69af417aed")
        case .bleProximity: BluetoothUUID("8e99298e-65d6-4af7-9074-731c66e01af9")
        }
    }

    /// The characteristic that is read.
    public var identity: BluetoothUUID {
        switch self {
        case .sonar: BluetoothUUID("85bf337c-5b64-48eb-a5f7-a9fed135c972")
        case .covidTracer: BluetoothUUID("04b9494a-477f-4d46-b9a3-bd06c7e1e5e6")
        case .bleProximity: BluetoothUUID("9f565547-7415-4ef7-8cdd-e2e9674ef033")
        }
    }

    /// The one whose identity this characteristic holds.
    public init?(identity uuid: BluetoothUUID) {
        for number in 0..<Self.count {
            guard let scheme = LinkScheme(rawValue: UInt8(truncatingIfNeeded: number)) else { continue }
            if scheme.identity == uuid {
                self = scheme
                return
            }
        }
        return nil
    }

    /// How long the identity is.
    public var byteCount: Int {
        switch self {
        case .sonar: 129
        case .covidTracer: 20
        case .bleProximity: 8
        }
    }

    /// Finds the identity on a peer and reads it, no further than it may reach: the originals' phones answer a read at any
    /// offset with all of it, and would never come to an end.
    public func search(exchangesMTU: Bool) -> CharacteristicSearch {
        var search = CharacteristicSearch(
            services: UUIDList(service), characteristic: identity,
            noted: self == .bleProximity ? UUIDList(Self.formerWrite) : UUIDList(),
            exchangesMTU: exchangesMTU)
        search.wantedByteCount = byteCount
        return search
    }

    /// BLE-Proximity's until June 2020, when one characteristic took over both ways.
    public static var formerWrite: BluetoothUUID { BluetoothUUID("b222ebff-99b4-4bc4-a2e4-717aef9966a6") }
}
