import Agent
import AgentText
import DeviceSync
import FixedMemory
import FlashSimulator
import HCI
import Simulator

/// A board in a simulated world. Its controller, its medium and its line do whatever the input determines,
/// and otherwise work as in `make sim`.
final class FuzzWorld {
    let world = World(seed: 1)
    let board: SimulatedBoard
    let flash: FuzzFlash
    let script = ScriptedBehaviour()
    let store = BoardStore()
    private let kind: FuzzBoard
    private(set) lazy var phone = FuzzPhone(beside: board)
    private var broken: String?

    init(_ kind: FuzzBoard, habits: UInt8) {
        self.kind = kind
        board = SimulatedBoard("board", kind.setup(habits: habits), in: world)
        flash = FuzzFlash(board.medium)
        kind.fill(store)
        board.store = store
        board.controller.script = script
        board.controller.faults.floodPerSecond = 100
        board.onNotice = { [unowned self] in check($0) }
        start()
        if !kind.contains(.isBeginning) { world.run(for: .milliseconds(60)) }
    }

    deinit { world.end() }

    var controller: SimulatedController { board.controller }
    /// The first property that did not hold.
    var violation: String? { broken ?? flash.violation ?? controller.violations.first }

    private func check(_ notice: AgentNotice) {
        var line = FixedBuffer<512>()
        try? notice.write(to: &line)
        for index in 0..<line.count where line[index] < 0x20 || line[index] > 0x7e {
            broken = broken ?? "a line with byte \(line[index]) in it"
        }
    }

    // MARK: Power and life

    /// Whether another start of the agent is worth its time. A sealed log makes new keys at each, which takes
    /// longer than most inputs.
    var mayStartAgain: Bool { board.startCount < (kind.contains(.isSealed) ? 3 : 10) }

    private func start() {
        board.powerOn()
        kind.setWallClock(board.clock)
    }

    /// Lets the agent act for a moment, after its board has got power and its supervisor has started it.
    func runForAMoment() {
        if !board.medium.isPowered { board.cutPower() }
        switch board.state {
        case .off: start()
        case .ended: world.run(for: .milliseconds(100))
        case .running: break
        }
        world.run(for: .microseconds(250))
        _ = board.line.takeOutput()
    }

    /// Asks the agent to end.
    /// - Returns: Whether it has.
    func stop() -> Bool {
        board.stop()
        world.run(for: .milliseconds(3))
        return board.state != .running
    }

    /// Cuts the power at once, or during one of the next changes of the medium.
    func cutPower(_ choice: UInt8, _ seed: UInt8) {
        guard choice != 0 else { return board.cutPower() }
        let random = RandomStream(seed: UInt64(seed))
        let tear: SimulatedMedium.Tear =
            switch choice & 7 {
            case 0, 1: .nothing
            case 2: .everything
            case 3: .prefix(Int(seed) * 4)
            case 4, 5: .partly(random)
            default: .reordered(random)
            }
        board.medium.cut = (board.medium.changeCount + Int(choice >> 3 & 7), tear)
    }

    // MARK: The line

    /// Sends a packet in a frame.
    func send(_ packet: [UInt8]) {
        var frame = FixedBuffer<4096>()
        try? SerialFrameEncoder.encode(packet.span, into: &frame)
        board.line.send(frame.span.array)
    }

    func setLineFaults(_ choice: UInt8) {
        var faults = LineFaults()
        faults.longestPiece = choice & 1 == 0 ? 0 : 3
        faults.bytesPerLoss = choice & 2 == 0 ? 0 : 20
        faults.bytesPerCorruption = choice & 4 == 0 ? 0 : 20
        faults.isSilent = choice & 8 != 0
        faults.isHungUp = choice & 16 != 0
        faults.isLeft = choice & 32 != 0
        faults.isGone = choice & 64 != 0
        board.line.faults = faults
    }

    // MARK: What the board keeps, and its clock

    func setStore(_ choice: UInt8) {
        store.keepsSecrets = choice & 1 == 0
        store.keepsConfiguration = choice & 2 == 0
        store.isPowerHookBroken = choice & 4 != 0
        store.vainPowerOns = Int(choice >> 3 & 3)
        switch choice >> 5 {
        case 1: board.clock.loseWallClock()
        case 2: board.clock.stepWallClock(byMilliseconds: 86_400_000)
        case 3: board.clock.stepWallClock(byMilliseconds: -3_600_000)
        case 4: kind.setWallClock(board.clock)
        default: break
        }
    }
}
