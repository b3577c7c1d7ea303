import FlashSimulator
import GATT
import HCI
import Protocols

/// A device that connects to boards under any address, its own or another device's, and writes signals to
/// them. It has no Herald service, so a board can read nothing from it. It advertises only what its owner
/// tells it to.
public final class HostilePhone: Station {
    public enum Signal: Sendable, Equatable {
        case payload([UInt8])
        case rssi(Int8)
    }

    /// One connection, and what is written over it.
    public struct Visit: Sendable {
        /// The address under which the device connects.
        public var address: DeviceAddress
        public var signals: [Signal]

        public init(as address: DeviceAddress, writing signals: [Signal]) {
            self.address = address
            self.signals = signals
        }
    }

    /// The device's own address.
    public let address: DeviceAddress
    /// The number of signals that boards have acknowledged.
    public private(set) var acknowledgedCount = 0
    /// The number of connections made.
    public private(set) var visitCount = 0

    /// The visits to come, the next first.
    private var visits: [Visit] = []
    private var writes: [[UInt8]] = []
    private var signalHandle: UInt16?
    private var gatt = GATTLink(role: .central)
    private let offer: PhoneServer.Offer
    private var server = PhoneServer(payload: [], isIPhone: false)
    private var deadline = SimulatedTime.never

    private static let visitLimit = SimulatedDuration.seconds(8)
    private static let mtu: UInt16 = 185

    private enum PhoneAlarm {
        static let visitEnds = Station.Alarm.first
    }

    public override init(_ name: String, at route: Route, in world: World) {
        var random = world.random("hostile phone \(name)")
        address = .privateRandom(seed: random.next())
        offer = PhoneServer.makeOffer(.otherIPhone, padding: 0, model: [])
        super.init(name, at: route, in: world)
    }

    /// Plans a connection to the next board heard.
    public func plan(_ visit: Visit) {
        visits.append(visit)
        guard scanning == nil else { return }
        scanning = Scanning(
            interval: .milliseconds(200), window: .milliseconds(50), start: world.now, wanted: nil)
    }

    override var linkAddress: DeviceAddress { visits.first?.address ?? address }

    override func wake(_ alarm: UInt32) {
        guard alarm == PhoneAlarm.visitEnds else { return super.wake(alarm) }
        guard deadline == world.now else { return }
        for link in links { link.disconnect(by: self) }
    }

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        guard links.isEmpty, !visits.isEmpty, advertisement.isConnectable else { return }
        var parameters = LinkParameters()
        parameters.interval = .milliseconds(30)
        world.air.connect(self, to: sender, advertisedAs: advertisement.address, parameters: parameters)
    }

    override func linkOpened(_ link: AirLink, isCentral: Bool) {
        // A board may answer an advert of this device, which serves it nothing.
        gatt = GATTLink(role: isCentral ? .central : .peripheral)
        server.linkEnded()
        guard isCentral, let visit = visits.first else { return }
        visitCount += 1
        writes = visit.signals.map(Self.bytes)
        signalHandle = nil
        gatt.start(HeraldService.payloadSearch)
        deadline = world.now + Self.visitLimit
        setAlarm(PhoneAlarm.visitEnds, at: deadline)
        sendWaiting(on: link)
    }

    override func linkClosed(_ link: AirLink, reason: UInt8) {
        deadline = .never
        guard link.isCentral(self), link.isEstablished, !visits.isEmpty else { return }
        visits.removeFirst()
        if visits.isEmpty { scanning = nil }
    }

    override func received(_ fragment: LinkFragment, on link: AirLink) {
        let bytes = fragment.limited(toMTU: Self.mtu).bytes
        let outcome = gatt.receive(
            bytes.span, boundary: fragment.isFirst ? .firstFlushable : .continuation, link: 0,
            table: offer.table, delegate: &server)
        if let event = outcome.clientEvent { finished(event, link) }
        sendWaiting(on: link)
    }

    private func finished(_ event: AttributeClientEvent, _ link: AirLink) {
        if signalHandle == nil {
            guard event == .finished, let signal = gatt.findings.other(0) else {
                return link.disconnect(by: self)
            }
            signalHandle = signal.valueHandle
        } else if event == .finished {
            acknowledgedCount += 1
        }
        guard let handle = signalHandle, !writes.isEmpty else { return link.disconnect(by: self) }
        let next = writes.removeFirst()
        try? gatt.startWriting(next.span, handle: handle)
    }

    private func sendWaiting(on link: AirLink) {
        for fragment in gatt.takeFragments(mtu: Self.mtu) { link.send(fragment, from: self) }
    }

    /// Code 1, length, payload; or code 2, RSSI in 16 bits.
    private static func bytes(of signal: Signal) -> [UInt8] {
        switch signal {
        case .payload(let payload): [1, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
        case .rssi(let dBm): [2, UInt8(bitPattern: dBm), dBm < 0 ? 0xff : 0]
        }
    }
}
