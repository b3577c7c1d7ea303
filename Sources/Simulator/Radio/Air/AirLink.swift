import HCI

/// A link between two stations. Data moves at connection events, and is repeated until it arrives or the
/// link ends.
public final class AirLink: WorldActor {
    public let central: Station
    public let peripheral: Station
    public internal(set) var parameters: LinkParameters
    /// The address by which the central knows the peripheral.
    public internal(set) var peripheralAddress = DeviceAddress(value: 0, isRandom: true)
    /// Whether the peripheral received the connection request.
    var isEstablished = false
    /// Whether a board's controller could not report the link, because it had forgotten the event masks. If
    /// an earlier link had the same handle, the board takes this one's data for that link's.
    var isUnreported = false

    private var toPeripheral: [LinkFragment] = []
    private var toCentral: [LinkFragment] = []
    private var isEventPlanned = false
    private var lastContact = SimulatedTime.zero
    /// Both sides' ``AirUse`` includes the connection events up to here.
    private var accountedUntil = SimulatedTime.zero
    private var isOver = false
    /// The number of data packets per side and connection event.
    private static let piecesPerEvent = 4
    /// The central drops a connection request without an answer after six intervals.
    private static let establishingEvents: UInt64 = 6

    private enum Alarm {
        static let connectionEvent: UInt32 = 0
        static let supervision: UInt32 = 1
    }

    init(central: Station, peripheral: Station, parameters: LinkParameters, in world: World) {
        self.central = central
        self.peripheral = peripheral
        self.parameters = parameters
        super.init(in: world)
    }

    public func isCentral(_ station: Station) -> Bool { station === central }
    public func peer(of station: Station) -> Station { station === central ? peripheral : central }

    func start() {
        lastContact = world.now
        accountedUntil = world.now
        central.airUse.countConnectionRequest()
        setAlarm(
            Alarm.supervision,
            at: world.now
                + (isEstablished ? supervisionStep : parameters.interval * Self.establishingEvents))
        planEvent()
    }

    private var supervisionStep: SimulatedDuration {
        .microseconds(max(parameters.supervision.microseconds / 8, 20_000))
    }

    func send(_ fragment: LinkFragment, from station: Station) {
        if isCentral(station) { toPeripheral.append(fragment) } else { toCentral.append(fragment) }
        planEvent()
    }

    private func planEvent() {
        guard !isEventPlanned, !isOver, !toPeripheral.isEmpty || !toCentral.isEmpty else { return }
        isEventPlanned = true
        setAlarm(Alarm.connectionEvent, at: world.now + parameters.interval)
    }

    override func wake(_ alarm: UInt32) {
        guard !isOver else { return }
        switch alarm {
        case Alarm.connectionEvent:
            isEventPlanned = false
            exchange()
            planEvent()
        default: supervise()
        }
    }

    private var isInReach: Bool {
        isEstablished && has(central) && has(peripheral) && world.air.reaches(central, peripheral)
            && world.air.reaches(peripheral, central)
    }

    private func has(_ station: Station) -> Bool { station.links.contains { $0 === self } }

    private func exchange() {
        guard isInReach, !world.air.isLostByChance() else { return }
        lastContact = world.now
        accountForEvents()
        for piece in 0..<Self.piecesPerEvent where !toPeripheral.isEmpty && !isOver {
            let fragment = toPeripheral.removeFirst()
            central.airUse.countData(fragment, isFirstOfEvent: piece == 0)
            central.delivered(on: self)
            peripheral.received(fragment, on: self)
        }
        for piece in 0..<Self.piecesPerEvent where !toCentral.isEmpty && !isOver {
            let fragment = toCentral.removeFirst()
            peripheral.airUse.countData(fragment, isFirstOfEvent: piece == 0)
            peripheral.delivered(on: self)
            central.received(fragment, on: self)
        }
    }

    /// Counts the packets of all events since the last call. Each side sends one per event, even if it is
    /// empty.
    private func accountForEvents() {
        guard isEstablished else { return }
        let count = (world.now - accountedUntil).microseconds / parameters.interval.microseconds
        accountedUntil += parameters.interval * count
        central.airUse.countLinkPackets(count)
        peripheral.airUse.countLinkPackets(count)
    }

    private func supervise() {
        guard isEstablished else { return end(reason: .connectionFailedToBeEstablished) }
        accountForEvents()
        if isInReach { lastContact = world.now }
        guard world.now < lastContact + parameters.supervision else {
            return end(reason: .connectionTimeout)
        }
        setAlarm(Alarm.supervision, at: world.now + supervisionStep)
    }

    /// Ends the link on behalf of `station`. That station learns it immediately, and so does its peer if it
    /// is in range; otherwise the peer waits for its timeout.
    func disconnect(by station: Station, reason: UInt8 = Status.remoteUserTerminated.rawValue) {
        guard !isOver, has(station) else { return }
        let other = peer(of: station)
        let isHeard = isInReach
        remove(from: station, reason: .localHostTerminated)
        if isHeard { remove(from: other, reason: Status(rawValue: reason)) }
        if !has(other) { finish() }
    }

    /// Removes the link from `station` without notice, as by a reset or a power cut.
    func forget(by station: Station) {
        station.links.removeAll { $0 === self }
        if !has(peer(of: station)) { finish() }
    }

    private func end(reason: Status) {
        remove(from: central, reason: reason)
        remove(from: peripheral, reason: reason)
        finish()
    }

    private func remove(from station: Station, reason: Status) {
        guard has(station) else { return }
        station.links.removeAll { $0 === self }
        world.record(.linkClosed, UInt64(UInt32(bitPattern: number)) << 8 | UInt64(reason.rawValue))
        station.linkClosed(self, reason: reason.rawValue)
    }

    private func finish() {
        guard !isOver else { return }
        accountForEvents()
        isOver = true
        world.remove(self)
    }
}
