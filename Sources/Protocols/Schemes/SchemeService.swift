import GATT
import Peers
import Schemes

/// The GATT service over which a scheme's devices serve their identity. Sources: docs/schemes.md.
public struct SchemeService: BitwiseCopyable, Sendable {
    public let scheme: SchemeID
    public let service: BluetoothUUID
    /// The characteristic that holds the identity.
    public let identity: BluetoothUUID
    /// The identity's length in bytes.
    public let byteCount: Int

    public static var sonar: SchemeService {
        SchemeService(
            scheme: .sonar, service: BluetoothUUID("c1f5983c-fa94-4ac8-8e2e-bb86d6de9b21"),
            identity: BluetoothUUID("85bf337c-5b64-48eb-a5f7-a9fed135c972"), byteCount: 129)
    }

    public static var covidTracer: SchemeService {
        SchemeService(
            scheme: .covidTracer, service: BluetoothUUID("22fc7440-9ed6-48b8-85b3-da69af417aed"),
            identity: BluetoothUUID("04b9494a-477f-4d46-b9a3-bd06c7e1e5e6"), byteCount: 20)
    }

    public static var bleProximity: SchemeService {
        SchemeService(
            scheme: .bleProximity, service: BluetoothUUID("8e99298e-65d6-4af7-9074-731c66e01af9"),
            identity: BluetoothUUID("9f565547-7415-4ef7-8cdd-e2e9674ef033"), byteCount: 8)
    }

    private init(scheme: SchemeID, service: BluetoothUUID, identity: BluetoothUUID, byteCount: Int) {
        self.scheme = scheme
        self.service = service
        self.identity = identity
        self.byteCount = byteCount
    }

    /// Nil for a scheme that links do not serve, and for Herald, whose service is ``HeraldService``.
    public init?(of scheme: SchemeID) {
        switch scheme {
        case .sonar: self = .sonar
        case .covidTracer: self = .covidTracer
        case .bleProximity: self = .bleProximity
        case .herald, .exposureNotification, .robert, .dp3t, .tcn: return nil
        }
    }

    /// Finds the service by its own UUID.
    public init?(service uuid: BluetoothUUID) {
        self.init { $0.service == uuid }
    }

    /// Finds the service by the characteristic that holds its identity.
    public init?(identity uuid: BluetoothUUID) {
        self.init { $0.identity == uuid }
    }

    private init?(where isWanted: (SchemeService) -> Bool) {
        for index in 0..<SchemeID.linkCount {
            guard let scheme = SchemeID(linkIndex: index), let service = SchemeService(of: scheme) else {
                continue
            }
            if isWanted(service) {
                self = service
                return
            }
        }
        return nil
    }

    /// The search that finds and reads a peer's identity. It stops at the identity's length. The original
    /// apps answer a read at any offset with the whole value, so a complete read would never end.
    public func search(exchangesMTU: Bool) -> CharacteristicSearch {
        var search = CharacteristicSearch(
            services: UUIDList(service), characteristic: identity,
            others: scheme == .bleProximity ? UUIDList(Self.formerWrite) : UUIDList(),
            exchangesMTU: exchangesMTU)
        search.wantedByteCount = byteCount
        return search
    }

    /// The characteristic to which BLE-Proximity wrote until June 2020, when one characteristic took over
    /// both directions.
    public static var formerWrite: BluetoothUUID { BluetoothUUID("b222ebff-99b4-4bc4-a2e4-717aef9966a6") }
}
