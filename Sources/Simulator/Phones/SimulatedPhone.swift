import FlashSimulator
import GATT
import HCI
import Protocols

/// A phone with a contact-tracing app, of one of several kinds. It advertises, serves its payload, looks
/// for boards and reads theirs. It is strict about what it receives: see ``LinkAudit``.
///
/// Fault model: a phone comes and goes, and changes address and payload at any time, also during a link,
/// because people carry phones. ``PhoneKind`` describes the errors of each kind. A phone never breaks a
/// protocol's rules on purpose: hostile bytes are the task of the fuzz targets and of ``Bystander``.
public final class SimulatedPhone: Station {
    public struct BoardRead: Sendable {
        public let board: DeviceAddress
        public let payload: [UInt8]
        public let time: SimulatedTime
    }

    public let kind: PhoneKind
    public private(set) var payload: [UInt8]
    public var address: DeviceAddress { addresses[addresses.count - 1] }
    /// All addresses so far, the current one last.
    public private(set) var addresses: [DeviceAddress]
    /// All payloads so far, the current one last.
    public private(set) var payloads: [[UInt8]]
    /// The last payload that the phone read of each board.
    public private(set) var boardsRead: [BoardRead] = []
    /// When the phone last received any board's advert.
    public private(set) var lastHeardBoard: SimulatedTime?
    public private(set) var linkCount = 0
    /// How often a board has read the phone's payload.
    public var servedCount: UInt64 { server.readCount }
    public var messagesFromBoards: [BoardMessage] { server.messages }
    /// How often a board has woken the app.
    public var wakeCount: UInt64 { server.wakeCount }
    /// The phone's model, if its kind has one to read.
    public let model: [UInt8]
    /// The number of signals written completely to boards.
    public private(set) var signalCount = 0
    /// The messages that the phone has begun to write to boards.
    public private(set) var sentMessages: [SentMessage] = []
    /// The pseudo device addresses so far, the current one last; empty if the kind has none.
    public private(set) var pseudoAddresses: [[UInt8]] = []
    /// The boards' messages that break a protocol's rules.
    public var violations: [String] { violationLog.all }

    private let offer: PhoneServer.Offer
    private var server: PhoneServer
    private var gatt = GATTLink(role: .peripheral)
    private var audit: LinkAudit
    private var random: RandomStream
    private var attempts: [(board: DeviceAddress, time: SimulatedTime)] = []
    private var signals: PhoneSignals
    private var violationLog = PhoneViolations()
    private var pseudoAddressEnd = SimulatedTime.never
    private var boardRSSIDBm: Int8 = -60

    private enum PhoneAlarm {
        static let rotate = Station.Alarm.first
        static let comeBack = Station.Alarm.first + 1
        static let transaction = Station.Alarm.first + 2
    }

    private var transactionDeadline = SimulatedTime.never

    /// - Parameter payload: The payload that boards can read; nil to draw one.
    public init(
        _ name: String, _ kind: PhoneKind = .android, payload: [UInt8]? = nil, at route: Route,
        in world: World
    ) {
        self.kind = kind
        random = world.random("phone \(name)")
        let payload = payload ?? Self.drawPayload(&random)
        self.payload = payload
        payloads = [payload]
        addresses = [.privateRandom(seed: random.next())]
        server = PhoneServer(payload: payload, isIPhone: kind.isIPhone)
        model = Array("\(name)'s model".utf8.prefix(40))
        offer = PhoneServer.makeOffer(kind, padding: Int(random.below(4)), model: model)
        audit = Self.audit(of: offer, kind)
        signals = PhoneSignals(cut: kind.cutsSignals)
        super.init(name, at: route, in: world)
        if kind.pseudoAddress != nil { renewPseudoAddress() }
        advertiseAgain()
        if kind.readsBoardsEvery != nil {
            scanning = Scanning(
                interval: .milliseconds(200), window: .milliseconds(50), start: world.now, wanted: nil)
        }
        if let lifetime = kind.addressLifetime { setAlarm(PhoneAlarm.rotate, at: world.now + lifetime) }
    }

    /// Draws a payload in Herald's simple form: a header, then bytes of its own.
    private static func drawPayload(_ random: inout RandomStream) -> [UInt8] {
        [0x10, 0x3a, 0x03, 0, 0, 16, 0] + random.bytes(16)
    }

    private static func audit(of offer: PhoneServer.Offer, _ kind: PhoneKind) -> LinkAudit {
        LinkAudit(
            payloadHandles: offer.payloadHandles, deviceHandles: offer.deviceHandles,
            mtu: Int(kind.maximumMTU))
    }

    /// Advertises if its kind does. Also for a phone that has left during a link, and comes back.
    func advertiseAgain() {
        guard let advert else { return }
        advertise(Advertisement(address: address, data: advert), every: kind.advertisingInterval)
    }

    private var advert: [UInt8]? {
        guard let form = kind.pseudoAddress, let bytes = pseudoAddresses.last else { return kind.advert }
        return FieldAdverts.pseudoAddress(bytes, isLegacy: form == .legacy)
    }

    private func renewPseudoAddress() {
        pseudoAddresses.append(random.bytes(6))
        pseudoAddressEnd = world.now + kind.pseudoAddressLifetime
    }

    /// Whether this is or was the phone's address.
    public func hasHad(_ address: DeviceAddress) -> Bool { addresses.contains(address) }

    override var linkAddress: DeviceAddress { address }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case PhoneAlarm.rotate: rotate()
        case PhoneAlarm.comeBack: setPresent(true)
        case PhoneAlarm.transaction where transactionDeadline == world.now:
            for link in links { link.disconnect(by: self) }
        default: super.wake(alarm)
        }
    }

    private func rotate() {
        addresses.append(.privateRandom(seed: random.next()))
        if world.now >= pseudoAddressEnd { renewPseudoAddress() }
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
        audit = Self.audit(of: offer, kind)
        // A phone that left the range during a link got no event at its end.
        server.linkEnded()
        linkCount += 1
        stopAdvertising()
        signals = PhoneSignals(cut: kind.cutsSignals)
        signalHandle = nil
        if isCentral { gatt.start(HeraldService.payloadSearch) }
        awaitAnswer()
        sendWaiting(on: link)
    }

    private func awaitAnswer() {
        guard gatt.role == .central else { return }
        transactionDeadline = world.now + GATTLink.transactionTimeout
        setAlarm(PhoneAlarm.transaction, at: transactionDeadline)
    }

    override func linkClosed(_ link: AirLink, reason: UInt8) {
        transactionDeadline = .never
        server.linkEnded()
        advertiseAgain()
        guard kind.shiftsScan, reason == Status.connectionFailedToBeEstablished.rawValue else { return }
        shiftScan(&random)
    }

    /// Starts the scan anew at a random moment.
    func shiftScan(_ random: inout RandomStream) {
        guard let scanning else { return }
        self.scanning?.start = world.now + random.duration(upTo: scanning.interval * Scanning.channelCount)
    }

    override func received(_ fragment: LinkFragment, on link: AirLink) {
        audit.received(fragment)
        awaitAnswer()
        for violation in audit.takeViolations() where !link.isUnreported { record(violation) }
        switch kind.manner {
        case .mute: return
        case .vanishing where gatt.role == .peripheral && random.below(3) == 0: return vanish()
        case .polite, .vanishing: break
        }
        let bytes = fragment.limited(toMTU: kind.maximumMTU).bytes
        let outcome = gatt.receive(
            bytes.span, boundary: fragment.isFirst ? .firstFlushable : .continuation, link: 0,
            table: offer.table, delegate: &server)
        for violation in server.takeBadWrites() { record(violation) }
        if let event = outcome.clientEvent { finished(event, link) }
        sendWaiting(on: link)
    }

    private func record(_ violation: String) { violationLog.record(violation, by: self) }

    private func vanish() {
        setPresent(false)
        advertiseAgain()
        setAlarm(PhoneAlarm.comeBack, at: world.now + .seconds(30))
    }

    // MARK: Procedures

    private func finished(_ event: AttributeClientEvent, _ link: AirLink) {
        if event == .finished, signals.isEmpty, signalHandle == nil {
            didRead([UInt8](gatt.value), of: link.peripheralAddress)
            if kind.writesSignals, let signal = gatt.findings.other(0) {
                signalHandle = signal.valueHandle
                collectSignals(for: link)
            }
        } else if event == .finished {
            didWrite()
        }
        if event == .finished, let handle = signalHandle, let bytes = signals.next {
            try? gatt.startWriting(bytes.span, handle: handle)
        } else {
            signalHandle = nil
            link.disconnect(by: self)
        }
    }

    private var signalHandle: UInt16?

    private func didRead(_ payload: [UInt8], of board: DeviceAddress) {
        boardsRead.removeAll { $0.board == board }
        boardsRead.append(BoardRead(board: board, payload: payload, time: world.now))
        if boardsRead.count > 16 { boardsRead.removeFirst() }
    }

    private func collectSignals(for link: AirLink) {
        signals.addPayload(payload)
        signals.addRSSI(boardRSSIDBm)
        guard kind.sendsMessages else { return }
        if random.chance(0.6) { send(.sharing(rssiDBm: boardRSSIDBm), drawSharedPayloads(), over: link) }
        if random.chance(0.6) { send(.immediate, drawText(), over: link) }
    }

    private func send(_ kind: SentMessage.Kind, _ data: [UInt8], over link: AirLink) {
        let message = SentMessage(
            kind: kind, data: data, board: link.peripheralAddress, isUnreported: link.isUnreported)
        signals.add(message, place: sentMessages.count)
        sentMessages.append(message)
    }

    /// Draws payloads of phones that only this phone has met.
    private func drawSharedPayloads() -> [UInt8] {
        (0...random.below(8)).flatMap { _ in Self.drawPayload(&random) }
    }

    /// Draws a text of letters only, so that no part of it looks like the beginning of another message.
    private func drawText() -> [UInt8] {
        let start = Array("\(name), message \(sentMessages.count): ".utf8)
        return start + (0..<Int(random.below(400))).map { UInt8(0x61 + $0 % 26) }
    }

    private func didWrite() {
        let (isComplete, place) = signals.didWrite()
        if isComplete { signalCount += 1 }
        if let place { sentMessages[place].acknowledged = world.now }
    }

    private func sendWaiting(on link: AirLink) {
        for fragment in gatt.takeFragments(mtu: kind.maximumMTU) {
            audit.sent(fragment)
            link.send(fragment, from: self)
        }
    }
}
