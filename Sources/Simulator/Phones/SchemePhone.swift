import FlashSimulator
import GATT
import HCI
import Peers
import Protocols
import Schemes

/// A phone with the app of a scheme other than Herald. It advertises, serves its identity, and connects to
/// boards to read theirs, as its kind does. It has several links at a time. It is as strict as
/// ``SimulatedPhone`` about what it receives.
public final class SchemePhone: Station {
    public let kind: SchemePhoneKind
    /// How often the phone has read a board's identity.
    public private(set) var readCount: UInt64 = 0
    /// How often boards have read the phone's identity.
    public var servedCount: UInt64 { server.readCount }
    /// How often a board's notification has kept the app awake.
    public private(set) var keptAwakeCount: UInt64 = 0
    /// The boards' messages that break a protocol's rules.
    public var violations: [String] { violationLog.all }

    private let epochSeconds: UInt64
    private let table: PhoneServer.Table
    private let identityHandle: UInt16
    private var server = PhoneServer(payload: [], isIPhone: true)
    private var identity: SchemePhoneIdentity
    private var address = DeviceAddress(value: 0, isRandom: true)
    private var random: RandomStream
    private var talks: [Talk] = []
    private var violationLog = PhoneViolations()
    /// The boards that the phone was connected to, by address, and when it may connect again.
    private var rests: [(board: DeviceAddress, end: SimulatedTime)] = []

    /// The state of one link.
    private struct Talk {
        enum Step { case served, reading, writing, kept }

        let link: AirLink
        var gatt: GATTLink
        var audit: LinkAudit
        var step: Step
        /// When the board's answer must have come.
        var deadline = SimulatedTime.never
    }

    private enum PhoneAlarm {
        static let rotate = Station.Alarm.first
        static let transaction = Station.Alarm.first + 1
    }

    private static let remembered = 64

    /// - Parameter epochSeconds: The time when the world begins, in seconds since 1970.
    public init(
        _ name: String, _ kind: SchemePhoneKind, epochSeconds: UInt64, at route: Route, in world: World
    ) {
        self.kind = kind
        self.epochSeconds = epochSeconds
        random = world.random("scheme phone \(name)")
        do {
            identity = try SchemePhoneIdentity(kind.service, random.split("identity"))
        } catch {
            preconditionFailure("no keys: \(error)")
        }
        (table, identityHandle) = PhoneServer.makeTable(kind.service, padding: Int(random.below(4)))
        super.init(name, at: route, in: world)
        renewAddress()
        scanning = Scanning(
            interval: .milliseconds(200), window: .milliseconds(50), start: world.now, wanted: nil)
    }

    private func renewAddress() {
        address = .privateRandom(seed: random.next())
        advertise(
            Advertisement(address: address, data: kind.advert), every: SchemePhoneKind.advertisingInterval)
        setAlarm(PhoneAlarm.rotate, at: world.now + SchemePhoneKind.addressLifetime)
    }

    override var linkAddress: DeviceAddress { address }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case PhoneAlarm.rotate:
            identity.renew(kind.scheme)
            renewAddress()
        case PhoneAlarm.transaction:
            for talk in talks where talk.deadline <= world.now {
                talk.link.disconnect(by: self)
            }
        default: super.wake(alarm)
        }
    }

    // MARK: Boards

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        let board = advertisement.address
        guard advertisement.isConnectable, rssiDBm >= kind.leastRSSIDBm,
            !kind.looksForService || says(advertisement.data, kind.serviceBytes),
            talks.count(where: { $0.step != .served }) < kind.linkLimit,
            !talks.contains(where: { $0.link.peripheralAddress == board })
        else { return }
        if let rest = rests.first(where: { $0.board == board }), world.now < rest.end { return }
        rests.removeAll { $0.board == board }
        rests.append((board, world.now + kind.pause))
        if rests.count > Self.remembered { rests.removeFirst() }
        var parameters = LinkParameters()
        parameters.interval = SchemePhoneKind.connectionInterval
        world.air.connect(self, to: sender, advertisedAs: board, parameters: parameters)
    }

    private func says(_ advert: [UInt8], _ service: [UInt8]) -> Bool {
        advert.count >= service.count
            && (0...advert.count - service.count).contains { advert[$0...].starts(with: service) }
    }

    private func place(of link: AirLink) -> Int? { talks.firstIndex { $0.link === link } }

    override func linkOpened(_ link: AirLink, isCentral: Bool) {
        var talk = Talk(
            link: link, gatt: GATTLink(role: isCentral ? .central : .peripheral),
            audit: LinkAudit(
                payloadHandles: [identityHandle],
                writableHandles: kind.scheme == .bleProximity ? [identityHandle] : [],
                mtu: Int(kind.maximumMTU)), step: isCentral ? .reading : .served)
        if isCentral { talk.gatt.start(kind.search) }
        talks.append(talk)
        sendWaiting(talks.count - 1)
    }

    override func linkClosed(_ link: AirLink, reason: UInt8) {
        talks.removeAll { $0.link === link }
        server.linkEnded()
        guard let place = rests.firstIndex(where: { $0.board == link.peripheralAddress }) else { return }
        rests[place].end = world.now + kind.pause
    }

    override func received(_ fragment: LinkFragment, on link: AirLink) {
        guard let place = place(of: link) else { return }
        talks[place].audit.received(fragment)
        for violation in talks[place].audit.takeViolations() where !link.isUnreported { record(violation) }
        talks[place].deadline = .never
        server.payload = identity.answer(at: epochSeconds + world.now.microseconds / 1_000_000)
        if talks[place].step == .kept, isNotification(fragment) { keptAwakeCount += 1 }
        let bytes = fragment.limited(toMTU: kind.maximumMTU).bytes
        let outcome = talks[place].gatt.receive(
            bytes.span, boundary: fragment.isFirst ? .firstFlushable : .continuation, link: 0, table: table,
            delegate: &server)
        if let event = outcome.clientEvent { finished(event, place) }
        if let place = self.place(of: link) { sendWaiting(place) }
    }

    /// The bytes are length (2), channel 4 (2) and opcode.
    private func isNotification(_ fragment: LinkFragment) -> Bool {
        fragment.isFirst && fragment.bytes.count > 4 && fragment.bytes[4] == 0x1b
    }

    private func record(_ violation: String) { violationLog.record(violation, by: self) }

    private func finished(_ event: AttributeClientEvent, _ place: Int) {
        let value = [UInt8](talks[place].gatt.value)
        switch (talks[place].step, event) {
        // A board without an identity yet answers with an empty value.
        case (.reading, .finished) where value.count == kind.service.byteCount:
            readCount += 1
            goOn(place)
        case (.writing, .finished) where kind.staysConnected: talks[place].step = .kept
        default: talks[place].link.disconnect(by: self)
        }
    }

    /// Continues after the phone has read the board's identity.
    private func goOn(_ place: Int) {
        let findings = talks[place].gatt.findings
        var message: (bytes: [UInt8], handle: UInt16)?
        if kind.staysConnected, let keepAlive = findings.other(0) {
            talks[place].audit.takesNotifications = true
            // The client configuration descriptor follows the value.
            message = ([1, 0], keepAlive.valueHandle + 1)
        } else if kind.scheme == .bleProximity, let own = findings.characteristic {
            message = (identity.answer(at: 0), own.valueHandle)
        }
        guard let message,
            (try? talks[place].gatt.startWriting(message.bytes.span, handle: message.handle)) != nil
        else { return talks[place].link.disconnect(by: self) }
        talks[place].step = .writing
    }

    private func sendWaiting(_ place: Int) {
        for fragment in talks[place].gatt.takeFragments(mtu: kind.maximumMTU) {
            talks[place].audit.sent(fragment)
            talks[place].link.send(fragment, from: self)
        }
        guard talks[place].gatt.isWaiting else { return }
        talks[place].deadline = world.now + GATTLink.transactionTimeout
        setAlarm(PhoneAlarm.transaction, at: talks[place].deadline)
    }
}
