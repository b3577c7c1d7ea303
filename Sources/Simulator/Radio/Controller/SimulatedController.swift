import FlashSimulator
import HCI

/// A Bluetooth controller behind HCI, as strict as real ones: what the specification lets a controller refuse it
/// refuses, with the status that the specification gives. Its answers are compared with RootCanal's
/// (Tests/Rig/test_controller_model.py).
///
/// Fault model. On a good day it refuses (``ControllerProfile``: some makers' refuse more than others'), loses reports
/// when the host is slow, ends advertising when somebody connects, forgets everything at a reset, and gives handle 0 and
/// old handles to new links. On a bad day it has one or more of the faults in ``ControllerFault``, each with a cause that
/// begins and ends and with what cures it then. It never does what only a kind controller would: a host that sends a
/// command without credit, data without a buffer, or a packet of another length has done wrong, and ``violations`` says so.
public final class SimulatedController: Station {
    public let profile: ControllerProfile
    public let transport: HCITransport
    public var extendedCommandClaim = ExtendedCommandClaim.truth
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
        var isScanActive = false
        var scanInterval: UInt16 = 0x10
        var scanWindow: UInt16 = 0x10
        var filtersDuplicates = false
        var isScanning = false
        /// Since the last reset.
        var hasScanParameters = false
        var hasAdvertisingParameters = false
        var advertisingInterval: UInt16 = 0x800
        var advertisingType: UInt8 = 0
        var advertisingUsesRandomAddress = false
        var advertisingData: [UInt8] = []
        var scanResponseData: [UInt8] = []
        var isAdvertising = false
        var attempt: Attempt?
        /// Which family of commands it takes until the next reset; nil before the first.
        var takesExtended: Bool?
        var hasAdvertisingSet = false
        /// The advertising set's own, with the extended commands.
        var setAddress: DeviceAddress?
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

    /// What is wrong with it.
    public private(set) lazy var faults = ControllerFaults(of: self)
    /// A connection was asked for while advertising: see ``ControllerFault/wedgeWhenConnecting``.
    var isWedged = false
    var faultRandom: RandomStream
    var floodDebt: UInt64 = 0
    /// The command that the host has not been given the answer to: until then it may send none but a reset.
    private(set) var unanswered: OpCode?

    /// What has come of packets on a UART, and whether something was lost of that or changed since the last reset.
    var hostStream = HostStream()
    var mayBeGarbled = false

    /// The host may have been told of other buffers than there are.
    var mayHaveFalseBufferSize = false

    var settings = Settings()
    var handles: [HandledLink] = []
    private var nextHandle: UInt16 = 0
    private(set) var reported: Set<DeviceAddress> = []

    /// A link, and what the host has given for it that is not acknowledged yet.
    struct HandledLink {
        let handle: UInt16
        let link: AirLink
        let peer: DeviceAddress
        /// Of each packet the pieces that are still to be delivered, the oldest first.
        var piecesHeld: [Int] = []
        /// The host may have been told of its packets twice, or of more than there were, and cannot but believe that it may
        /// send more than it may.
        var mayHaveFalseCredit = false
        var isBeginning = true
    }

    /// Reports that wait for more.
    struct HeldReports {
        var bytes: [UInt8] = []
        var count = 0
        var content = HCITransport.Content.useless
        var sending = SimulatedTime.never
    }

    var held = HeldReports()

    /// How long an answer may have been on its way, or waited for one that never came.
    private static let garbledCredit = SimulatedDuration.seconds(10)

    override var hearsOnlyBoards: Bool { false }
    override var isBoard: Bool { true }

    public init(
        _ name: String, _ profile: ControllerProfile = ControllerProfile(),
        over kind: HCITransport.Kind = .packets,
        at route: Route, in world: World
    ) {
        self.profile = profile
        faultRandom = world.random("faults of \(name)")
        transport = HCITransport(kind, name, in: world)
        super.init(name, at: route, in: world)
        transport.controller = self
    }

    /// As after power-on.
    func powerUp() {
        isWedged = isWedged && !faults.isCurable(.wedgeWhenConnecting, by: .reopen)
        forgetEverything()
    }

    /// Takes its power away, or gives it back. Its transport must be closed, and opened again.
    public func switchPower(_ isOn: Bool) {
        transport.lose()
        if isOn { powerCycled() }
        setPresent(isOn)
    }

    private func powerCycled() {
        isWedged = false
        hostStream = HostStream()
        faults.hostDid(.powerCycle)
        forgetEverything()
    }

    func forgetEverything() {
        settings = Settings()
        held = HeldReports()
        reported = []
        unanswered = nil
        mayBeGarbled = false
        for handled in handles { handled.link.forget(by: self) }
        handles = []
        updateAir()
    }

    func clearReported() { reported = [] }

    /// A host that has waited in vain may reset, and nothing else. What garbles or doubles answers may have given it a credit
    /// that there is not.
    func noteCommand(_ opCode: OpCode) {
        if let unanswered, opCode != .reset,
            !faults.had([.corruptedStream, .duplicateEvents], within: Self.garbledCredit)
        {
            let (sent, earlier) = (String(opCode.rawValue, radix: 16), String(unanswered.rawValue, radix: 16))
            noteViolation("command 0x\(sent) without a credit: 0x\(earlier) is not answered")
        }
        unanswered = opCode
    }

    func hostTookAnswer(to opCode: OpCode) { if opCode == unanswered { unanswered = nil } }

    /// Not of what the host did not send like that.
    func noteViolation(_ text: String) {
        guard !mayBeGarbled else { return }
        world.note(.fault, UInt64(violations.count))
        if violations.count < 100 { violations.append("\(world.now.microseconds) µs: \(text)") }
    }

    // MARK: To the host

    /// Unless the host has masked it.
    func event(_ code: UInt8, _ parameters: [UInt8], after delay: SimulatedDuration? = nil) {
        guard isUnmasked(code, parameters) else { return }
        send(
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
        if settings.isAdvertising, let address = advertisingAddress {
            truth.addresses.insert(address)
            let kind: UInt8 = [0, 1, 2, 3, 1][Int(settings.advertisingType)]
            advertise(
                Advertisement(
                    address: address, kind: AdvertisingReportKind(rawValue: kind),
                    data: settings.advertisingData, scanResponse: settings.scanResponseData),
                every: .slots(settings.advertisingInterval))
        } else {
            stopAdvertising()
        }
        if faults.has(.silence) || isWedged {
            scanning = nil
        } else if settings.isScanning {
            listen(settings.scanInterval, settings.scanWindow, wanted: nil)
        } else if let attempt = settings.attempt {
            listen(attempt.scanInterval, attempt.scanWindow, wanted: attempt.peer)
        } else {
            scanning = nil
        }
        truth.noteScanning(settings.isScanning && scanning != nil, at: world.now)
        truth.noteAdvertising(settings.isAdvertising, at: world.now)
    }

    /// As the host has last set it.
    var scanTiming: (interval: SimulatedDuration, window: SimulatedDuration) {
        (.slots(settings.scanInterval), .slots(settings.scanWindow))
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

    /// Of an advertising set one of its own.
    var advertisingAddress: DeviceAddress? {
        settings.takesExtended == true && settings.advertisingUsesRandomAddress
            ? settings.setAddress : ownAddress(settings.advertisingUsesRandomAddress)
    }

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        if let attempt = settings.attempt, attempt.peer == advertisement.address, advertisement.isConnectable,
            !sender.links.contains(where: { $0.peer(of: sender) === self })
        {
            world.air.connect(
                self, to: sender, advertisedAs: advertisement.address, parameters: attempt.parameters)
        }
        guard settings.isScanning else { return }
        if settings.filtersDuplicates || faults.has(.duplicateFilter),
            !reported.insert(advertisement.address).inserted
        {
            return
        }
        report(advertisement, rssiDBm: rssiDBm)
        // Whoever may be asked answers, if only with nothing.
        if settings.isScanActive || faults.has(.scanResponses), advertisement.isScannable {
            let response = Advertisement(
                address: advertisement.address, kind: .scanResponse, data: advertisement.scanResponse)
            report(response, rssiDBm: rssiDBm, askedOf: advertisement)
        }
    }

    /// On its way to the host, where faults may befall it.
    func send(
        _ packet: [UInt8], _ content: HCITransport.Content = .other, reportCount: Int = 1,
        after delay: SimulatedDuration
    ) {
        guard faults.isAny || isWedged else {
            return transport.sendToHost(packet, content, reportCount: reportCount, after: delay)
        }
        guard !isWedged, !faults.has(.vanishedAdapter) else { return }
        let delay =
            faults.has(.lateEvents) ? delay + faultRandom.duration(upTo: .milliseconds(3_000)) : delay
        transport.sendToHost(packet, content, reportCount: reportCount, after: delay)
        if faults.has(.duplicateEvents), packet[0] == PacketIndicator.event.rawValue {
            if content != .other { truth.reportsMade &+= UInt64(reportCount) }
            transport.sendToHost(packet, content, reportCount: reportCount, after: delay)
        }
    }

    override func linkOpened(_ link: AirLink, isCentral: Bool) { opened(link, isCentral: isCentral) }
    override func linkClosed(_ link: AirLink, reason: UInt8) { closed(link, reason: reason) }
    override func received(_ fragment: LinkFragment, on link: AirLink) { arrived(fragment, on: link) }
    override func delivered(on link: AirLink) { acknowledged(on: link) }
    override var linkAddress: DeviceAddress { settings.randomAddress ?? profile.publicAddress }

    func hostTook(_ content: HCITransport.Content, reportCount: UInt64) {
        switch content {
        case .other: break
        case .good, .useless:
            truth.noteReportsTaken(reportCount, areGood: content == .good, at: world.now)
        case .damaged: truth.reportsDamaged &+= reportCount
        }
    }

    /// The host's kernel had no room for them.
    func hostMissed(reportCount: UInt64) { truth.reportsLost &+= reportCount }

    override func wake(_ alarm: UInt32) {
        if alarm == ControllerAlarm.heldReports {
            if held.sending <= world.now { sendHeld() }
        } else if alarm >= Alarm.first {
            faultWake(alarm)
        } else {
            super.wake(alarm)
        }
    }

    // MARK: Handles

    /// Ascending and used again, 0 included.
    func newHandle() -> UInt16 {
        while handles.contains(where: { $0.handle == nextHandle }) { nextHandle = (nextHandle + 1) % 0xeff }
        defer { nextHandle = (nextHandle + 1) % 8 }
        return nextHandle
    }
}
