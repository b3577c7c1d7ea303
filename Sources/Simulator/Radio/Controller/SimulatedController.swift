import FlashSimulator
import HCI

/// A Bluetooth controller behind HCI, as strict as real ones. It refuses whatever the specification lets a
/// controller refuse, with the status that the specification gives. Its answers are compared with
/// RootCanal's (Tests/Rig/test_controller_model.py).
///
/// Fault model. In normal operation it refuses commands (``ControllerProfile``: some vendors' controllers
/// refuse more than others), and loses reports when the host is slow. It ends advertising when a central
/// connects, forgets everything at a reset, and gives handle 0 and old handles to new links. It may also
/// have one or more of the faults in ``ControllerFault``, each with a cause that begins and ends and with a
/// cure. It never hides a host's error: a command without a credit, data without a buffer, or a packet of
/// wrong length is recorded in ``violations``.
public final class SimulatedController: Station {
    public package(set) var profile: ControllerProfile
    public let transport: HCITransport
    public var extendedCommandClaim = ExtendedCommandClaim.truth
    /// Host errors that would upset real controllers.
    public private(set) var violations: [String] = []
    public internal(set) var truth = RadioTruth()

    /// The controller's faults.
    public private(set) lazy var faults = ControllerFaults(of: self)
    /// The behaviour that a test prescribes; nil in worlds without one.
    package var script: ScriptedBehaviour?
    /// Whether the host asked for a connection while advertising: see
    /// ``ControllerFault/wedgeWhenConnecting``.
    var isWedged = false
    var faultRandom: RandomStream
    var floodDebt: UInt64 = 0
    /// The command whose answer the host has not received. Until it has, it may send only a reset.
    private(set) var unanswered: OpCode?

    /// The bytes received over a UART; and whether bytes on the way from the host were lost or changed
    /// since the last reset.
    var hostStream = HostStream()
    var mayBeGarbled = false

    /// Whether the host may have received wrong buffer sizes.
    var mayHaveFalseBufferSize = false

    var settings = Settings()
    var handles: [HandledLink] = []
    var nextHandle: UInt16 = 0
    /// The handles of links that ended without an event. The host takes them for links until it learns
    /// otherwise.
    var untoldHandles: Set<UInt16> = []
    private(set) var reported: Set<DeviceAddress> = []

    var held = HeldReports()
    var lateOpenings: [LateOpening] = []

    /// The longest time that a false answer can take to arrive, or that a missing one can be waited for.
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

    /// Clears the state as after power-on.
    func powerUp() {
        isWedged = isWedged && !faults.isCurable(.wedgeWhenConnecting, by: .reopen)
        forgetEverything()
    }

    /// Switches the power. This closes the transport, so the host must open it again.
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
        lateOpenings = []
        reported = []
        unanswered = nil
        mayBeGarbled = false
        for handled in handles { handled.link.forget(by: self) }
        handles = []
        untoldHandles = []
        updateAir()
    }

    func clearReported() { reported = [] }

    /// Checks a command against the host's credits. A host without an answer may only reset. Faults that
    /// garble or double answers may have given it false credits.
    func checkCredit(_ opCode: OpCode) {
        if let unanswered, opCode != .reset,
            !faults.had([.corruptedStream, .duplicateEvents], within: Self.garbledCredit),
            script?.falseBeliefs.contains(.answers) != true
        {
            let (sent, earlier) = (String(opCode.rawValue, radix: 16), String(unanswered.rawValue, radix: 16))
            recordViolation("command 0x\(sent) without a credit: 0x\(earlier) is not answered")
        }
        unanswered = opCode
    }

    func hostTookAnswer(to opCode: OpCode) { if opCode == unanswered { unanswered = nil } }

    /// Records a host error, unless damage on the way may have caused it.
    func recordViolation(_ text: String) {
        guard !mayBeGarbled else { return }
        world.record(.fault, UInt64(violations.count))
        if violations.count < 100 { violations.append("\(world.now.microseconds) µs: \(text)") }
    }

    // MARK: To the host

    /// Sends an event, unless the host has masked it.
    func event(_ code: UInt8, _ parameters: [UInt8], after delay: SimulatedDuration? = nil) {
        guard isUnmasked(code, parameters) else { return }
        send(
            [PacketIndicator.event.rawValue, code, UInt8(parameters.count)] + parameters,
            after: delay ?? profile.answerDelay)
    }

    func isUnmasked(_ code: UInt8, _ parameters: [UInt8]) -> Bool {
        switch code {
        // Command Complete, Command Status and Number Of Completed Packets cannot be masked.
        case 0x0e, 0x0f, 0x13: true
        case 0x3e:
            settings.eventMask >> 61 & 1 == 1
                && settings.lowEnergyEventMask >> (UInt64(parameters[0]) - 1) & 1 == 1
        default: settings.eventMask >> (UInt64(code) - 1) & 1 == 1
        }
    }

    // MARK: The air

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        if let attempt = settings.attempt, attempt.peer == advertisement.address, advertisement.isConnectable,
            sender.answersConnectionRequests, !sender.links.contains(where: { $0.peer(of: sender) === self })
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
        // A scannable advertiser always answers a scan request, even if without data.
        if settings.isScanActive || faults.has(.scanResponses), advertisement.isScannable {
            let response = Advertisement(
                address: advertisement.address, kind: .scanResponse, data: advertisement.scanResponse)
            report(response, rssiDBm: rssiDBm, askedOf: advertisement)
        }
    }

    /// Sends a packet to the host, subject to the current faults.
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
            truth.recordReports(reportCount, areGood: content == .good, at: world.now)
        case .damaged: truth.reportsDamaged &+= reportCount
        }
    }

    /// Notes what the host learns from a packet as its framer has completed it. A refusal by a fault says
    /// nothing about the scan, even if it arrives when the fault is over. A host that has sent a reset in the
    /// meantime ignores a refusal.
    func hostFramed(_ packet: Span<UInt8>) {
        guard settings.hasRefusedForScan, !truth.hasProvedScan,
            case .commandComplete(let opCode, _, let returned)? = try? Event(packet),
            opCode.setsScanParameters, returned.count > 0, Status(rawValue: returned[0]) == .commandDisallowed
        else { return }
        truth.hasProvedScan = true
    }

    /// Counts reports lost because the host's kernel had no space.
    func hostMissed(reportCount: UInt64) { truth.reportsLost &+= reportCount }

    override func worldEnds() {
        super.worldEnds()
        handles = []
        script = nil
    }

    override func wake(_ alarm: UInt32) {
        if alarm == ControllerAlarm.heldReports {
            if held.sending <= world.now { sendHeld() }
        } else if alarm == ControllerAlarm.earlyData {
            reportLateOpenings()
        } else if alarm >= Alarm.first {
            faultWake(alarm)
        } else {
            super.wake(alarm)
        }
    }

    // MARK: Handles

    /// Whether the host has links, or must believe that it has.
    var seemsLinked: Bool { !handles.isEmpty || !untoldHandles.isEmpty }

    /// The next free handle. Handles ascend from 0 and are reused.
    func newHandle() -> UInt16 {
        while handles.contains(where: { $0.handle == nextHandle }) { nextHandle = (nextHandle + 1) % 0xeff }
        defer { nextHandle = (nextHandle + 1) % 8 }
        untoldHandles.remove(nextHandle)
        return nextHandle
    }
}
