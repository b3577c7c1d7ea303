import FixedMemory
import GATT
import HCI
import Peers
import Schemes

/// The services that we offer to phones: Herald's, and those of each enabled scheme. On each link their
/// identities stay as they were when the link was made.
///
/// | scheme | characteristic | value |
/// |---|---|---|
/// | Sonar | identity, read and notify | 129 bytes with a time, made when a read begins |
/// | | keep-alive, notify | a random byte |
/// | CovidTracer | identity, read | 20 bytes |
/// | BLE-Proximity | identity, read, write (either kind) | 8 bytes each way; further bytes are ignored |
///
/// Sonar's identity is empty without a registration, the time or a broadcast value.
public struct IdentityServer: AttributeDelegate, ~Copyable {
    /// Herald's 16 attributes, Sonar's 7, and 3 each of CovidTracer and BLE-Proximity.
    public typealias Table = AttributeTable<29>

    /// The schemes whose services are in the table.
    public struct Offer: BitwiseCopyable, Sendable {
        public var sonar = false
        public var covidTracer = false
        public var bleProximity = false

        public init() {}
    }

    private static var sonarKeepAlive: BluetoothUUID { BluetoothUUID("d802c645-5c7b-40dd-985a-9fbee05fe85c") }

    static let sonarIdentity = ValueIdentifier(rawValue: 3)
    static let sonarIdentityConfiguration = ValueIdentifier(rawValue: 4)
    public static let keepAlive = ValueIdentifier(rawValue: 5)
    static let keepAliveConfiguration = ValueIdentifier(rawValue: 6)
    static let covidTracer = ValueIdentifier(rawValue: 7)
    static let bleProximity = ValueIdentifier(rawValue: 8)

    public var herald: HeraldServer
    /// The identities that a new incoming link will serve.
    public var own = OwnSchemes()
    /// The secret that authenticates Sonar's values; nil without a registration.
    public var sonarSecret: Bytes<32>?
    public var txPowerDBm: Int8 = 0
    /// Converts ``HeraldServer/now`` to wall-clock time; nil while the board does
    /// not know the time.
    public var wallClockOffset: ClockOffset?
    private var links: FixedArray<ServedLink>
    private var written: (link: Int, identity: BLEProximityUserID)?
    private var budget = MessageBudget(burst: 60, interval: .seconds(1))

    public init(herald: consuming HeraldServer, linkLimit: Int) throws(MemoryError) {
        let links = try FixedArray(count: linkLimit, repeating: ServedLink())
        self.links = links
        self.herald = herald
    }

    /// The attribute table, complete before any peer can connect (X5). `deviceName`: UTF-8, at most 100
    /// bytes.
    public static func makeTable(deviceName: Span<UInt8>, _ offer: Offer) -> Table {
        var table = HeraldServer.makeTable(deviceName: deviceName)
        do throws(CapacityError) {
            if offer.sonar {
                try table.addService(SchemeService.sonar.service)
                try table.addCharacteristic(
                    SchemeService.sonar.identity, .read.union(.notify), value: sonarIdentity)
                try table.addDescriptor(.clientConfiguration, value: sonarIdentityConfiguration)
                try table.addCharacteristic(sonarKeepAlive, .notify, value: keepAlive)
                try table.addDescriptor(.clientConfiguration, value: keepAliveConfiguration)
            }
            if offer.covidTracer {
                try table.addService(SchemeService.covidTracer.service)
                try table.addCharacteristic(SchemeService.covidTracer.identity, .read, value: covidTracer)
            }
            if offer.bleProximity {
                try table.addService(SchemeService.bleProximity.service)
                try table.addCharacteristic(
                    SchemeService.bleProximity.identity, .read.union(.write).union(.writeWithoutResponse),
                    value: bleProximity)
            }
        } catch {
            preconditionFailure("the table has room for all")
        }
        return table
    }

    /// Starts a link, which serves these identities until it ends.
    public mutating func linkOpened(
        _ link: Int, payload: FixedBuffer<512>, own: OwnSchemes, peer: DeviceAddress? = nil
    ) {
        herald.linkOpened(link, payload: payload, peer: peer)
        links[link] = ServedLink()
        links[link].own = own
    }

    /// Our identity in a scheme, as a link serves it from its beginning to its end.
    public func own(on link: Int, of scheme: SchemeID) -> OwnSchemes.Value { links[link].own[scheme] }

    /// Returns the identity that a peer wrote last, once. It proves nothing, because any device can write any
    /// identity.
    public mutating func takeWritten() -> (link: Int, identity: BLEProximityUserID)? {
        defer { written = nil }
        return written
    }

    /// Whether the peer has subscribed to keep-alives.
    public func wantsKeepAlives(_ link: Int) -> Bool { wants(Self.keepAliveConfiguration, link) }

    private func wants(_ configuration: ValueIdentifier, _ link: Int) -> Bool {
        links[link].subscriptions[Int(configuration.rawValue) & 7] & 1 != 0
    }

    public mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)
    {
        let own = links[link].own
        switch identifier {
        case Self.sonarIdentity: try? appendSonar(own, to: &value)
        case Self.sonarIdentityConfiguration, Self.keepAliveConfiguration:
            try? value.append(wants(identifier, link) ? 1 : 0 as UInt8)
            try? value.append(0 as UInt8)
        // A value has room for each of these identities.
        case Self.covidTracer: try? value.append(own[.covidTracer].span)
        case Self.bleProximity: try? value.append(own[.bleProximity].span)
        default: try herald.read(identifier, link: link, into: &value)
        }
    }

    /// A link that is open when the value changes serves the old one for some seconds. The authority refuses
    /// a time after the value's end, so the answer has its last second then.
    private func appendSonar(_ own: OwnSchemes, to value: inout AttributeValue) throws(CapacityError) {
        guard let broadcast = Bytes<108>(own[.sonar].span), let secret = sonarSecret,
            let offset = wallClockOffset,
            let now = UInt32(exactly: (herald.now + offset).seconds)
        else { return }
        let signed = SonarPayload.signed(broadcast, txPowerDBm, min(now, own.sonarEndSeconds - 1))
        guard let auth = try? SonarPayload.auth(of: signed.span, secret: secret) else { return }
        try value.append(signed)
        try value.append(auth)
    }
}

extension IdentityServer {
    public mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
    {
        switch identifier {
        case Self.sonarIdentityConfiguration, Self.keepAliveConfiguration:
            guard value.count == 2 else { throw .invalidAttributeValueLength }
            guard value[0] <= 1, value[1] == 0 else { throw .valueNotAllowed }
            links[link].subscriptions[Int(identifier.rawValue) & 7] = value[0]
        case Self.bleProximity:
            guard let identity = try? BLEProximity.read(value) else { throw .invalidAttributeValueLength }
            guard !links[link].hasWritten, budget.take(now: herald.now) else {
                throw .insufficientResources
            }
            links[link].hasWritten = true
            written = (link, identity)
        default: try herald.write(identifier, link: link, value: value, kind: kind)
        }
    }
}

/// The state of a link.
struct ServedLink: BitwiseCopyable {
    var own = OwnSchemes()
    /// The client characteristic configurations, by value identifier.
    var subscriptions = Bytes<8>()
    /// Whether the peer has written its identity. It may do so once, because an identity lasts as long as a
    /// link.
    var hasWritten = false
}
