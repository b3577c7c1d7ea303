import HCI

/// A Bluetooth controller behind HCI, as strict as real ones: what the specification lets a controller refuse it
/// refuses, with the status that the specification gives.
public final class SimulatedController: Station {
    public let profile: ControllerProfile
    public let transport: HCITransport
    /// What the host has done that upsets real controllers.
    public private(set) var violations: [String] = []
    public internal(set) var truth = RadioTruth()

    // What the host has set. A reset takes it all back.
    struct Settings {
        /// Bluetooth Core 5.4, Vol 4, Part E, 7.3.1: LE events are not among the default ones.
        var eventMask: UInt64 = 0x0000_1fff_ffff_ffff
        var lowEnergyEventMask: UInt64 = 0x1f
        var randomAddress: DeviceAddress?
        var scanUsesRandomAddress = false
        var scanInterval: UInt16 = 0x10
        var scanWindow: UInt16 = 0x10
        var filtersDuplicates = false
        var isScanning = false
        var advertisingInterval: UInt16 = 0x800
        var advertisingType: UInt8 = 0
        var advertisingUsesRandomAddress = false
        var advertisingData: [UInt8] = []
        var scanResponseData: [UInt8] = []
        var isAdvertising = false
        var attempt: Attempt?
    }

    /// A connection that the host wants.
    struct Attempt {
        let peer: DeviceAddress
        let usesRandomAddress: Bool
        let scanInterval: UInt16
        let scanWindow: UInt16
        let parameters: LinkParameters
        var start: SimulatedTime
    }

    var settings = Settings()
    var handles: [HandledLink] = []
    private var nextHandle: UInt16 = 0
    private(set) var reported: Set<DeviceAddress> = []

    /// A link, and what the host has given for it that is not acknowledged yet.
    struct HandledLink {
        let handle: UInt16
        let link: AirLink
        let peer: DeviceAddress
        var packetsHeld = 0
        var isBeginning = true
    }

    override var hearsOnlyBoards: Bool { false }
    override var isBoard: Bool { true }

    public init(
        _ name: String, _ profile: ControllerProfile = ControllerProfile(),
        over kind: HCITransport.Kind = .packets,
        at route: Route, in world: World
    ) {
        self.profile = profile
        transport = HCITransport(kind, in: world)
        super.init(name, at: route, in: world)
        transport.controller = self
    }

    /// As after power-on.
    func powerUp() { forgetEverything() }

    func forgetEverything() {
        settings = Settings()
        reported = []
        for handled in handles { handled.link.forget(by: self) }
        handles = []
        updateAir()
    }

    func clearReported() { reported = [] }

    func noteViolation(_ text: String) {
        world.note(.fault, UInt64(violations.count))
        if violations.count < 100 { violations.append("\(world.now.microseconds) µs: \(text)") }
    }

    // MARK: To the host

    /// Unless the host has masked it.
    func event(_ code: UInt8, _ parameters: [UInt8], after delay: SimulatedDuration? = nil) {
        guard isUnmasked(code, parameters) else { return }
        transport.sendToHost(
            [PacketIndicator.event.rawValue, code, UInt8(parameters.count)] + parameters,
            after: delay ?? profile.answerDelay)
    }

    func isUnmasked(_ code: UInt8, _ parameters: [UInt8]) -> Bool {
        switch code {
        // Command Complete, Command Status, Number Of Completed Packets cannot be masked.
        case 0x0e, 0x0f, 0x13: true
        case 0x3e:
            settings.eventMask >> 61 & 1 == 1
                && settings.lowEnergyEventMask >> (UInt64(parameters[0]) - 1) & 1 == 1
        default: settings.eventMask >> (UInt64(code) - 1) & 1 == 1
        }
    }

    // MARK: The air

    /// Makes the station do what the host has set.
    func updateAir() {
        if settings.isAdvertising, let address = ownAddress(settings.advertisingUsesRandomAddress) {
            let kind: UInt8 = [0, 1, 2, 3, 1][Int(settings.advertisingType)]
            advertise(
                Advertisement(
                    address: address, kind: AdvertisingReportKind(rawValue: kind),
                    data: settings.advertisingData, scanResponse: settings.scanResponseData),
                every: .slots(settings.advertisingInterval))
        } else {
            stopAdvertising()
        }
        if settings.isScanning {
            listen(settings.scanInterval, settings.scanWindow, wanted: nil)
        } else if let attempt = settings.attempt {
            listen(attempt.scanInterval, attempt.scanWindow, wanted: attempt.peer)
        } else {
            scanning = nil
        }
        truth.noteScanning(settings.isScanning, at: world.now)
        truth.noteAdvertising(settings.isAdvertising, at: world.now)
    }

    private func listen(_ interval: UInt16, _ window: UInt16, wanted: DeviceAddress?) {
        let (interval, window) = (SimulatedDuration.slots(interval), SimulatedDuration.slots(window))
        if let scanning, scanning.interval == interval, scanning.window == window, scanning.wanted == wanted {
            return
        }
        scanning = Scanning(interval: interval, window: window, start: world.now, wanted: wanted)
    }

    func ownAddress(_ isRandom: Bool) -> DeviceAddress? {
        isRandom ? settings.randomAddress : profile.publicAddress
    }

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        if let attempt = settings.attempt, attempt.peer == advertisement.address, advertisement.isConnectable,
            !sender.links.contains(where: { $0.peer(of: sender) === self })
        {
            world.air.connect(
                self, to: sender, advertisedAs: advertisement.address, parameters: attempt.parameters)
        }
        guard settings.isScanning else { return }
        if settings.filtersDuplicates, !reported.insert(advertisement.address).inserted { return }
        report(advertisement, rssiDBm: rssiDBm)
    }

    private func report(_ advertisement: Advertisement, rssiDBm: Int8) {
        let data = advertisement.data
        var packet = [UInt8]()
        packet.reserveCapacity(15 + data.count)
        packet.append(PacketIndicator.event.rawValue)
        packet.append(0x3e)
        packet.append(UInt8(12 + data.count))
        packet.append(2)
        packet.append(1)
        packet.append(advertisement.kind.rawValue)
        packet.append(advertisement.address.addressType)
        for shift in 0..<UInt64(6) {
            packet.append(UInt8(truncatingIfNeeded: advertisement.address.value >> (8 * shift)))
        }
        packet.append(UInt8(data.count))
        packet.append(contentsOf: data)
        packet.append(UInt8(bitPattern: rssiDBm))
        sendReport(packet)
    }

    private func sendReport(_ packet: [UInt8]) {
        guard settings.eventMask >> 61 & 1 == 1, settings.lowEnergyEventMask >> 1 & 1 == 1 else { return }
        guard transport.waitingReportCount < profile.reportLimit else {
            truth.reportsLost &+= 1
            return
        }
        truth.reportsMade &+= 1
        transport.sendToHost(packet, isReport: true, after: profile.reportDelay)
    }

    override func linkOpened(_ link: AirLink, isCentral: Bool) { opened(link, isCentral: isCentral) }
    override func linkClosed(_ link: AirLink, reason: UInt8) { closed(link, reason: reason) }
    override func received(_ fragment: LinkFragment, on link: AirLink) { arrived(fragment, on: link) }
    override func delivered(on link: AirLink) { acknowledged(on: link) }
    override var linkAddress: DeviceAddress { settings.randomAddress ?? profile.publicAddress }

    func hostTookReport() { truth.noteReportTaken(at: world.now) }

    // MARK: Handles

    /// Ascending and used again, 0 included.
    func newHandle() -> UInt16 {
        while handles.contains(where: { $0.handle == nextHandle }) { nextHandle = (nextHandle + 1) % 0xeff }
        defer { nextHandle = (nextHandle + 1) % 8 }
        return nextHandle
    }
}
