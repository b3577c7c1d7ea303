import FixedMemory
import GATT
import Peers
import Protocols
import Schemes

/// A kind of phone with the app of a scheme that reads identities over links, and its behaviour.
///
/// Sources: nhsx/COVID-19-app-iOS-BETA and -Android-BETA, RaphaelJ/covid-tracer, mash/BLE-Proximity;
/// docs/schemes.md.
public struct SchemePhoneKind: Sendable {
    public let name: String
    public let service: SchemeService
    public var scheme: SchemeID { service.scheme }
    let advert: [UInt8]
    let maximumMTU: UInt16
    /// Whether the app connects only to devices that advertise its service. CovidTracer's app connects to
    /// any device.
    let looksForService: Bool
    /// Whether the app stays connected after reading a device, and subscribes to keep-alive notifications.
    let staysConnected: Bool
    /// The maximum number of simultaneous outgoing links.
    let linkLimit: Int
    /// The pause between two links to the same device.
    let pause: SimulatedDuration
    /// The minimum RSSI of a device that the app connects to.
    var leastRSSIDBm: Int8 = -127

    static let keepAlive = BluetoothUUID("d802c645-5c7b-40dd-985a-9fbee05fe85c")
    static let advertisingInterval = SimulatedDuration.milliseconds(250)
    static let connectionInterval = SimulatedDuration.milliseconds(30)
    /// How long phones keep an address.
    static let addressLifetime = SimulatedDuration.minutes(15)

    /// Connects to every device and never disconnects.
    public static let sonarIPhone = SchemePhoneKind(
        name: "iPhone with Sonar", service: .sonar,
        advert: [2, 1, 0x1a] + service(SchemeService.sonar.service), maximumMTU: 517, looksForService: true,
        staysConnected: true, linkLimit: 8, pause: .seconds(2))
    /// Scans for 8 s, pauses for one, and connects to each device in turn.
    public static let sonarAndroid = SchemePhoneKind(
        name: "Android phone with Sonar", service: .sonar,
        advert: [2, 1, 2] + service(SchemeService.sonar.service) + [2, 0x0a, 0xf9, 3, 0xff, 224, 0],
        maximumMTU: 131, looksForService: true, staysConnected: false, linkLimit: 1, pause: .seconds(9))
    /// Advertises without any data of its scheme.
    public static let covidTracer = SchemePhoneKind(
        name: "Android phone with CovidTracer", service: .covidTracer, advert: [2, 1, 2], maximumMTU: 23,
        looksForService: false, staysConnected: false, linkLimit: 1, pause: .minutes(15), leastRSSIDBm: -85)
    /// Connects again every 15 s.
    public static let bleProximity = SchemePhoneKind(
        name: "iPhone with BLE-Proximity", service: .bleProximity,
        advert: [2, 1, 0x1a] + service(SchemeService.bleProximity.service), maximumMTU: 517,
        looksForService: true, staysConnected: false, linkLimit: 8, pause: .seconds(15))

    public static let all = [sonarIPhone, covidTracer, bleProximity, sonarAndroid]

    /// An AD structure: the complete list of 128-bit services.
    private static func service(_ uuid: BluetoothUUID) -> [UInt8] { [17, 7] + bytes(uuid) }

    /// The 16 bytes of its service in adverts.
    var serviceBytes: [UInt8] { Self.bytes(service.service) }

    private static func bytes(_ uuid: BluetoothUUID) -> [UInt8] {
        var bytes = FixedBuffer<16>()
        try? uuid.append(to: &bytes)
        return [UInt8](bytes.span)
    }

    /// The search for a board's identity and for its keep-alive characteristic.
    var search: CharacteristicSearch {
        var search = service.search(exchangesMTU: maximumMTU > 23)
        if staysConnected { search.others = UUIDList(Self.keepAlive) }
        return search
    }
}
