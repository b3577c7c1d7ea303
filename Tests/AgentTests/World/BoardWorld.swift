import Agent
import EncounterLog
import FixedMemory
import FlashSimulator
import HCI
import Schemes
import Simulator
import TestSupport

@testable import Simulator

/// A board in a simulated world, with all that a test may set, prescribe and inspect. Its controller and its
/// air are those of `make sim`, which are compared with RootCanal.
final class BoardWorld {
    let room = World(seed: 1)
    let board: SimulatedBoard
    /// The board's keys, secrets and settings beside its log. Herald's secret is all zeros.
    let store = BoardStore()
    let script = ScriptedBehaviour()
    private(set) var notices: [AgentNotice] = []
    /// The actions on the radio, in order: "close", "off", "on", "open".
    var radioHistory: [String] = []
    /// The Sonar registration on the board's medium.
    var sonarRegistration: SonarRegistration?
    private var brokenRules: [String] = []
    /// The ACL data that the agent has sent, as H4 packets.
    private(set) var dataSent: [[UInt8]] = []

    init(blockByteCount: Int = 1024, transport: HCITransport.Kind = .packets) {
        var setup = BoardSetup()
        setup.transport = transport
        setup.blockByteCount = blockByteCount
        setup.segmentCount = 32
        setup.isOverwritable = false
        setup.hasRadioPower = false
        setup.restartDelay = nil
        setup.restartsWhenConfigured = false
        setup.controller.version = 9
        setup.controller.publicAddress = DeviceAddress(value: 0x1122_3344_5566, isRandom: false)
        setup.controller.linkLimit = 16
        setup.controller.takesDataWhileAdvertising = true
        var identity = Bytes<16>()
        identity[0] = 0xab
        setup.logIdentity = identity
        board = SimulatedBoard("board", setup, in: room)
        store.heraldSchedule = HeraldKeySchedule(
            secret: [UInt8](repeating: 0, count: HeraldKeySchedule.secretByteCount).span, epochDay: 20_454)
        board.store = store
        board.controller.script = script
        board.onNotice = { [unowned self] in notices.append($0) }
        store.onPowerSwitch = { [unowned self] in radioHistory.append($0 ? "on" : "off") }
        board.controller.transport.onReopening = { [unowned self] in
            radioHistory.append($0 ? "open" : "close")
        }
        board.observeTraffic { [unowned self] packet, isFromBoard in
            guard isFromBoard else { return }
            if let opCode = OpCode.sent(in: packet) { check(opCode) }
            if packet.first == PacketIndicator.aclData.rawValue { dataSent.append(packet) }
        }
        board.givePower()
    }

    deinit { room.end() }

    /// Starts an agent with `options` as on the command line, in place of one that runs.
    func start(_ options: [String], boot: UInt64) throws {
        if board.state == .running { board.killAgent() }
        board.setup.options = options
        board.setup.bootIdentifier = boot
        board.setup.schemes.sonar = sonarRegistration
        board.startAgent()
        if let failure = board.startFailure { throw failure }
    }

    /// Cuts the board's power and gives it back, without an agent. A battery keeps the wall clock.
    func cutPower() {
        let wallClock = board.clock.wallClock
        board.cutPower()
        board.givePower()
        if let wallClock { wallOffset = wallClock.time.milliseconds &- now.milliseconds }
    }

    var controller: SimulatedController { board.controller }
    var medium: SimulatedMedium { board.medium }
    var isPowerSwitchable: Bool {
        get { board.setup.hasRadioPower }
        set { board.setup.hasRadioPower = newValue }
    }

    // MARK: Rules

    /// Errors of the agent that would upset a real controller, and breaches of its own rules for connecting.
    var violations: [String] { controller.violations + brokenRules }

    /// The agent stops scanning and advertising before it connects or changes its address. Not every
    /// controller refuses the command otherwise.
    private func check(_ opCode: OpCode) {
        let settings = controller.settings
        let isConnecting = settings.attempt != nil
        switch opCode {
        case .leCreateConnection, .leExtendedCreateConnection:
            if settings.isScanning { brokenRules.append("connecting while scanning") }
            if settings.isAdvertising { brokenRules.append("connecting while advertising") }
        case .leSetRandomAddress where settings.isScanning || settings.isAdvertising || isConnecting:
            brokenRules.append("address set while it is in use")
        default: break
        }
    }

    // MARK: Time

    /// The board's monotonic time. Setting it suspends the board meanwhile.
    var now: Instant {
        get { board.clock.now }
        set { board.suspend(for: .milliseconds((newValue - now).milliseconds)) }
    }

    /// The offset of the wall clock from monotonic time, in milliseconds; nil while the clock is not set.
    var wallOffset: UInt64? {
        get { board.clock.wallClock.map { $0.time.milliseconds &- now.milliseconds } }
        set {
            guard let newValue else { return board.clock.loseWallClock() }
            board.clock.setWallClock(
                WallClockTime(milliseconds: now.milliseconds &+ newValue),
                errorMilliseconds: wallErrorMilliseconds)
        }
    }

    var wallErrorMilliseconds: UInt32 = 25 {
        didSet { wallOffset = wallOffset }
    }

    // MARK: Phones

    /// The phones that advertise. Others can be connected, too.
    var phones: [ScriptedPhone] = [] {
        didSet {
            for phone in oldValue where !phones.contains(where: { $0 === phone }) { phone.isOnAir = false }
            for phone in phones {
                phone.enter(room)
                phone.isOnAir = true
            }
        }
    }

    /// Has `phone` connect to the board if it advertises as connectable.
    @discardableResult
    func connect(_ phone: ScriptedPhone) -> Bool {
        guard let advertisement = controller.advertisement, advertisement.isConnectable else { return false }
        phone.enter(room)
        return phone.connect(to: controller, advertisedAs: advertisement.address)
    }

    /// Has `phone` connect, whether or not the board advertises.
    func forceConnect(from phone: ScriptedPhone) {
        phone.enter(room)
        let address = controller.settings.randomAddress ?? controller.profile.publicAddress
        phone.connect(to: controller, advertisedAs: address, whileAdvertised: false)
    }

    /// Has `phone` connect when the agent next disables scanning or advertising, just before the controller
    /// does.
    func connect(_ phone: ScriptedPhone, beforeDisabling opCode: OpCode) {
        var isDone = false
        script.beforeCommand = { [unowned self] command, parameters in
            guard !isDone, command == opCode, parameters.first == 0 else { return }
            isDone = connect(phone)
        }
    }

    /// Has `phone` connect as soon as the controller advertises.
    func connectWhenAdvertised(_ phone: ScriptedPhone) {
        script.afterCommand = { [unowned self] command, _ in
            if command == .leSetAdvertisingEnable, phone.linkCount == 0 { connect(phone) }
        }
    }

    /// Has `phone` change the supervision timeout of its link, in units of 10 ms.
    func update(_ phone: ScriptedPhone, supervisionTens: UInt64) {
        guard let link = phone.station?.links.first, let handle = controller.handle(of: phone) else { return }
        link.parameters.supervision = .milliseconds(supervisionTens * 10)
        controller.injectEvent(
            0x3e,
            [3, 0, UInt8(handle & 255), UInt8(handle >> 8)] + SimulatedController.bytes(of: link.parameters))
    }
}
