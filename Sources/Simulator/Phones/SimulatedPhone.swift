import FixedMemory
import GATT
import HCI
import Protocols

/// A phone with a contact-tracing app: it advertises, serves its payload, looks for boards and reads theirs.
public final class SimulatedPhone: Station {
    public let payload: [UInt8]
    /// Whether it looks for boards to read their payload.
    public let readsBoards: Bool
    public private(set) var address: DeviceAddress
    /// What it has read from boards, the last of each, by the board's address.
    public private(set) var payloadsRead: [(board: DeviceAddress, payload: [UInt8])] = []
    /// When it last heard a board, whichever.
    public private(set) var lastHeardBoard: SimulatedTime?
    public private(set) var linkCount = 0

    private let table: HeraldServer.Table
    private var server: HeraldServer
    private var gatt = GATTLink(role: .peripheral)
    private var wanted: DeviceAddress?

    /// `payload`: what boards can read from it.
    public init(
        _ name: String, payload: [UInt8], advert: [UInt8] = FieldAdverts.android, readsBoards: Bool = true,
        at route: Route, in world: World
    ) throws(MemoryError) {
        self.payload = payload
        self.readsBoards = readsBoards
        var random = world.random("phone \(name)")
        address = .staticRandom(seed: random.next())
        var buffer = FixedBuffer<512>()
        try? buffer.append(payload.span)
        server = try HeraldServer(payload: buffer, linkLimit: 1)
        let deviceName = Array(name.utf8.prefix(20))
        table = HeraldServer.makeTable(deviceName: deviceName.span)
        super.init(name, at: route, in: world)
        advertise(Advertisement(address: address, data: advert), every: .milliseconds(250))
        listen()
    }

    private func listen() {
        guard readsBoards else { return }
        scanning = Scanning(
            interval: .milliseconds(200), window: .milliseconds(50), start: world.now, wanted: nil)
    }

    override var linkAddress: DeviceAddress { address }

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        lastHeardBoard = world.now
        guard links.isEmpty, advertisement.isConnectable,
            !payloadsRead.contains(where: { $0.board == advertisement.address })
        else { return }
        wanted = advertisement.address
        world.air.connect(self, to: sender, advertisedAs: advertisement.address, parameters: LinkParameters())
    }

    override func linkOpened(_ link: AirLink, isCentral: Bool) {
        gatt = GATTLink(role: isCentral ? .central : .peripheral)
        server.linkOpened(0)
        linkCount += 1
        stopAdvertising()
        if isCentral { gatt.start(HeraldService.payloadSearch) }
        sendWaiting(on: link)
    }

    override func linkClosed(_ link: AirLink, reason: UInt8) {
        advertise(
            Advertisement(address: address, data: FieldAdverts.android), every: .milliseconds(250))
    }

    override func received(_ fragment: LinkFragment, on link: AirLink) {
        let outcome = gatt.receive(
            fragment.bytes.span, boundary: fragment.isFirst ? .firstFlushable : .continuation, link: 0,
            table: table, delegate: &server)
        if let event = outcome.clientEvent {
            if event == .finished, let wanted { payloadsRead.append((wanted, [UInt8](gatt.value))) }
            link.disconnect(by: self, reason: 0x13)
            return
        }
        sendWaiting(on: link)
    }

    private func sendWaiting(on link: AirLink) {
        var data = FixedBuffer<27>()
        while let boundary = gatt.nextFragment(maximumByteCount: 27, into: &data) {
            link.send(LinkFragment(bytes: [UInt8](data.span), isFirst: boundary != .continuation), from: self)
            data.removeAll()
        }
    }
}
