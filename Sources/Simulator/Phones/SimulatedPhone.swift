import FixedMemory
import GATT
import HCI
import Protocols

/// A phone with a contact-tracing app, of one of the kinds there are: it advertises, serves its payload, looks for boards
/// and reads theirs. It is strict in what it takes: see ``LinkAudit``.
///
/// Fault model: it comes, goes, and changes address and payload at any time, in the middle of a link too, for people carry
/// phones; what each kind does wrong, as phones of that kind do, is told in ``PhoneKind``. It never breaks its protocols'
/// rules out of malice: hostile bytes are the fuzz targets' part, and ``Passer``'s.
public final class SimulatedPhone: Station {
    public struct BoardRead: Sendable {
        public let board: DeviceAddress
        public let payload: [UInt8]
        public let time: SimulatedTime
    }

    public let kind: PhoneKind
    public private(set) var payload: [UInt8]
    public var address: DeviceAddress { addresses[addresses.count - 1] }
    /// All it has had, the present one last.
    public private(set) var addresses: [DeviceAddress]
    /// All payloads it has had, the present one last.
    public private(set) var payloads: [[UInt8]]
    /// What it has read of boards: the last of each.
    public private(set) var boardsRead: [BoardRead] = []
    /// When it last heard a board, whichever.
    public private(set) var lastHeardBoard: SimulatedTime?
    public private(set) var linkCount = 0
    /// How often a board has read its payload.
    public var servedCount: UInt64 { server.readCount }
    /// Messages that boards have written to its signal characteristic, whole.
    public var messagesFromBoards: [[UInt8]] { server.messages }
    /// Signals it has written to boards.
    public private(set) var signalCount = 0
    /// What boards have sent that they must not.
    public private(set) var violations: [String] = []

    private let table: PhoneServer.Table
    private let payloadHandles: [UInt16]
    private var server: PhoneServer
    private var gatt = GATTLink(role: .peripheral)
    private var audit: LinkAudit
    private var random: RandomStream
    private var attempts: [(board: DeviceAddress, time: SimulatedTime)] = []
    private var signals: [[UInt8]] = []
    private var boardRSSIDBm: Int8 = -60

    private enum PhoneAlarm {
        static let rotate = Station.Alarm.first
        static let comeBack = Station.Alarm.first + 1
        static let transaction = Station.Alarm.first + 2
    }

    /// After this a phone's stack takes an unanswered request for a broken link (Core, Vol 3, Part F, 3.3.3).
    private static let transactionTimeout = SimulatedDuration.seconds(30)
    private var transactionDeadline = SimulatedTime.never

    /// `payload`: what boards can read from it; drawn if it is nil.
    public init(
        _ name: String, _ kind: PhoneKind = .android, payload: [UInt8]? = nil, at route: Route,
        in world: World
    ) {
        self.kind = kind
        random = world.random("phone \(name)")
        let payload = payload ?? Self.drawPayload(&random)
        self.payload = payload
        payloads = [payload]
        addresses = [Self.drawAddress(&random)]
        server = PhoneServer(payload: payload, isIPhone: kind.isIPhone)
        (table, payloadHandles) = PhoneServer.makeTable(kind, padding: Int(random.below(4)))
        audit = LinkAudit(payloadHandles: payloadHandles, mtu: Int(kind.maximumMTU))
        super.init(name, at: route, in: world)
        advertiseAgain()
        if kind.readsBoardsEvery != nil {
            scanning = Scanning(
                interval: .milliseconds(200), window: .milliseconds(50), start: world.now, wanted: nil)
        }
        if let lifetime = kind.addressLifetime { setAlarm(PhoneAlarm.rotate, at: world.now + lifetime) }
    }

    /// A payload as Herald's simple one: header, then bytes of its own.
    private static func drawPayload(_ random: inout RandomStream) -> [UInt8] {
        [0x10, 0x3a, 0x03, 0, 0, 16, 0] + random.bytes(16)
    }

    /// Resolvable, as phones' addresses are.
    private static func drawAddress(_ random: inout RandomStream) -> DeviceAddress {
        DeviceAddress(value: random.next() & 0x3fff_ffff_ffff | 1 << 46, isRandom: true)
    }

    private func advertiseAgain() {
        guard let advert = kind.advert else { return }
        advertise(Advertisement(address: address, data: advert), every: kind.advertisingInterval)
    }

    override var linkAddress: DeviceAddress { address }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case PhoneAlarm.rotate: rotate()
        case PhoneAlarm.comeBack: setPresent(true)
        case PhoneAlarm.transaction where transactionDeadline == world.now:
            for link in links { link.disconnect(by: self, reason: 0x13) }
        default: super.wake(alarm)
        }
    }

    private func rotate() {
        addresses.append(Self.drawAddress(&random))
        if kind.changesPayload {
            payload = Self.drawPayload(&random)
            payloads.append(payload)
            server.payload = payload
        }
        if links.isEmpty { advertiseAgain() }
        if let lifetime = kind.addressLifetime { setAlarm(PhoneAlarm.rotate, at: world.now + lifetime) }
    }

    // MARK: Boards

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        lastHeardBoard = world.now
        boardRSSIDBm = rssiDBm
        let board = advertisement.address
        guard links.isEmpty, advertisement.isConnectable, let pause = kind.readsBoardsEvery else { return }
        if let last = attempts.last(where: { $0.board == board }) {
            let isRead = boardsRead.contains { $0.board == board && $0.time >= last.time }
            guard world.now - last.time >= (isRead ? pause : .seconds(10)) else { return }
        }
        attempts.removeAll { $0.board == board }
        attempts.append((board, world.now))
        if attempts.count > 16 { attempts.removeFirst() }
        var parameters = LinkParameters()
        parameters.interval = kind.connectionInterval
        world.air.connect(self, to: sender, advertisedAs: board, parameters: parameters)
    }

    override func linkOpened(_ link: AirLink, isCentral: Bool) {
        gatt = GATTLink(role: isCentral ? .central : .peripheral)
        audit = LinkAudit(payloadHandles: payloadHandles, mtu: Int(kind.maximumMTU))
        linkCount += 1
        stopAdvertising()
        signals = []
        if isCentral { gatt.start(HeraldService.payloadSearch) }
        awaitAnswer()
        sendWaiting(on: link)
    }

    private func awaitAnswer() {
        guard gatt.role == .central else { return }
        transactionDeadline = world.now + Self.transactionTimeout
        setAlarm(PhoneAlarm.transaction, at: transactionDeadline)
    }

    override func linkClosed(_ link: AirLink, reason: UInt8) {
        transactionDeadline = .never
        server.linkEnded()
        advertiseAgain()
    }

    override func received(_ fragment: LinkFragment, on link: AirLink) {
        audit.received(fragment)
        awaitAnswer()
        for violation in audit.takeViolations() { note(violation) }
        switch kind.manner {
        case .mute: return
        case .vanishing where gatt.role == .peripheral && random.below(3) == 0: return vanish()
        case .polite, .vanishing: break
        }
        let bytes = fragment.limited(toMTU: kind.maximumMTU).bytes
        let outcome = gatt.receive(
            bytes.span, boundary: fragment.isFirst ? .firstFlushable : .continuation, link: 0, table: table,
            delegate: &server)
        for violation in server.takeBadWrites() { note(violation) }
        if let event = outcome.clientEvent { finished(event, link) }
        sendWaiting(on: link)
    }

    private func note(_ violation: String) {
        if violations.count < 100 { violations.append("\(world.now.microseconds) µs, \(name): \(violation)") }
    }

    private func vanish() {
        setPresent(false)
        advertiseAgain()
        setAlarm(PhoneAlarm.comeBack, at: world.now + .seconds(30))
    }

    // MARK: Procedures

    private func finished(_ event: AttributeClientEvent, _ link: AirLink) {
        if event == .finished, signals.isEmpty, signalHandle == nil {
            noteRead([UInt8](gatt.value), of: link.peripheralAddress)
            if kind.writesSignals, let signal = gatt.findings.noted(0) {
                signalHandle = signal.valueHandle
                signals = [payloadSignal, rssiSignal]
            }
        } else if event == .finished {
            signalCount += 1
        }
        if event == .finished, let handle = signalHandle, !signals.isEmpty {
            let signal = signals.removeFirst()
            try? gatt.startWriting(signal.span, handle: handle)
        } else {
            signalHandle = nil
            link.disconnect(by: self, reason: 0x13)
        }
    }

    private var signalHandle: UInt16?

    private func noteRead(_ payload: [UInt8], of board: DeviceAddress) {
        if let before = boardsRead.first(where: { $0.board == board }), before.payload != payload {
            note("board \(board.value) has another payload than before")
        }
        boardsRead.removeAll { $0.board == board }
        boardsRead.append(BoardRead(board: board, payload: payload, time: world.now))
        if boardsRead.count > 16 { boardsRead.removeFirst() }
    }

    /// Code 1, length, payload.
    private var payloadSignal: [UInt8] {
        [1, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
    }

    /// Code 2, RSSI, 16 bits.
    private var rssiSignal: [UInt8] {
        let rssi = UInt16(bitPattern: Int16(boardRSSIDBm))
        return [2, UInt8(rssi & 255), UInt8(rssi >> 8)]
    }

    private func sendWaiting(on link: AirLink) {
        var data = FixedBuffer<27>()
        while let boundary = gatt.nextFragment(maximumByteCount: 27, into: &data) {
            let fragment = LinkFragment(
                bytes: [UInt8](data.span), isFirst: boundary != .continuation
            ).limited(toMTU: kind.maximumMTU)
            audit.sent(fragment)
            link.send(fragment, from: self)
            data.removeAll()
        }
    }
}
