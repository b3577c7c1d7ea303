import Agent
import Configuration
import Cryptography
import EncounterLog
import FixedMemory
import FlashSimulator
import Peers
import Radio
import Schemes

/// A board that runs the whole agent.
///
/// Fault model. Power may fail at any moment, also within a write. The agent then stops immediately, and its
/// medium decides what remains on flash. The agent may be killed, asked to stop, or end by itself. A
/// supervisor of the operating system starts it again after a delay, while the clocks keep running. The agent
/// has limited speed: a step takes time, and more for each packet. Input that arrives meanwhile waits.
public final class SimulatedBoard: WorldActor {
    public enum State: Equatable, Sendable {
        /// The board has no power.
        case off
        case running
        /// The board has power, but no agent runs.
        case ended
    }

    public let name: String
    /// The hardware and settings. A change of the settings counts from the agent's next start.
    public package(set) var setup: BoardSetup
    public let controller: SimulatedController
    public let clock: BoardClock
    public let medium: SimulatedMedium
    public let line = SimulatedLine()
    public private(set) var state = State.off
    public private(set) var stepCount: UInt64 = 0
    /// The number of steps before which the agent slept.
    public private(set) var wakeCount: UInt64 = 0
    public private(set) var startCount = 0
    public internal(set) var bootIdentifier: UInt64 = 0
    /// The reason why the last start failed.
    public private(set) var startFailure: BoardStartFailure?
    public private(set) var isStopRequested = false
    public internal(set) var isRadioPowered = true
    /// Called after each step of the agent, and after its end.
    public var onStep: (SimulatedBoard) -> Void = { _ in }
    /// Called with true when an agent has started, and with false when it has ended.
    var onLife: (Bool) -> Void = { _ in }
    public internal(set) var notices = BoundedNotices()
    /// Called with each notice of the agent.
    package var onNotice: ((AgentNotice) -> Void)?
    /// Called with each notice of the agent as text, and with the reason why an agent could not start.
    public var onLine: ((String) -> Void)?
    /// The number of bytes that the agent's own code allocated in the last step and did not free.
    public private(set) var stepMemoryGrowth: Int64 = 0

    /// Configuration changes received over the cable, as stored on the board's medium.
    public internal(set) var configurationChanges: [UInt8] = []
    /// The board's keys; nil unless the log is sealed.
    let keys: SimulatedKeys?
    /// The keys and secrets that a test lets the board keep, in place of those of its seed.
    package var store: BoardStore?
    /// The entropy for all keys of the board and its schemes.
    package let keyEntropy: SeededEntropy
    /// The identities found so far in each log segment, by ordinal.
    var identities: [UInt32: SegmentIdentities] = [:]
    private var agent: Agent<SimulatedPlatform>?
    var entropy: RandomStream
    private var isPowerGoing = false
    private var stepAt = SimulatedTime.never
    private var timerAt = SimulatedTime.never

    private enum Alarm {
        static let packet: UInt32 = 0
        static let timer: UInt32 = 1
        static let start: UInt32 = 2
    }

    /// The end of the step in progress; the next step cannot begin earlier.
    private var busyUntil = SimulatedTime.zero

    /// Makes a board without power; ``powerOn()`` starts it.
    public init(_ name: String, _ setup: BoardSetup = BoardSetup(), in world: World) {
        self.name = name
        self.setup = setup
        guard
            let geometry = FlashGeometry(
                blockByteCount: setup.blockByteCount, blocksPerSegment: setup.blocksPerSegment,
                segmentCount: setup.segmentCount)
        else { preconditionFailure("\(setup.segmentCount) segments cannot be") }
        // A new file reads as zeros; erased flash reads as ones.
        medium = SimulatedMedium(
            geometry, filledWith: setup.isOverwritable ? 0 : 0xff, isOverwritable: setup.isOverwritable)
        keyEntropy = SeededEntropy(world.random("keys of \(name)"))
        do throws(CryptographyError) {
            keys = setup.isSealed ? try SimulatedKeys(keyEntropy) : nil
        } catch {
            preconditionFailure("no keys: \(error)")
        }
        clock = BoardClock(driftPPM: setup.driftPPM, in: world)
        controller = SimulatedController(
            "controller of \(name)", setup.controller, over: setup.transport, at: setup.place, in: world)
        entropy = world.random("entropy of \(name)")
        super.init(in: world)
        controller.setPresent(false)
        controller.transport.onPacket = { [unowned self] time in stepNoLater(than: time) }
        line.onInput = { [unowned self] in stepNoLater(than: self.world.now) }
        medium.random = world.random("flash of \(name)")
        line.random = world.random("line of \(name)")
        medium.onPowerCut = { [unowned self] in cutPower() }
    }

    // MARK: The agent's own status; nil while no agent runs. Do not read these within a step.

    public var counters: RecorderCounters? { agent?.counters }
    public var radioStatus: RadioStatus? { agent?.radioStatus }
    public var sealCounters: SealCounters? { agent?.sealCounters }
    /// The status of the last agent when it ended.
    package private(set) var lastRadioStatus: RadioStatus?
    package private(set) var lastSealCounters: SealCounters?
    /// How the last agent ended, if it ended by itself or after a stop request.
    public private(set) var ending: AgentEnding?

    /// Calls `take` with each packet between board and controller, and whether the board sent it.
    public func observeTraffic(_ take: @escaping (_ packet: [UInt8], _ isFromBoard: Bool) -> Void) {
        controller.transport.observe(take)
    }

    // MARK: Power and life

    public func powerOn() {
        guard state == .off else { return }
        givePower()
        startAgent()
    }

    /// Gives the board power and starts no agent.
    package func givePower() {
        clock.powerCameBack()
        medium.powerCameBack()
        controller.switchPower(true)
        isRadioPowered = true
        state = .ended
    }

    /// Lets time pass on the board's clocks while neither the agent nor the rest of the world moves.
    package func suspend(for duration: SimulatedDuration) {
        clock.skip(duration)
        stepNoLater(than: world.now)
    }

    /// Cuts the power immediately. All that the agent had in memory is lost.
    public func cutPower() {
        isPowerGoing = true
        if !isStepping { finishPowerCut() }
    }

    private var isStepping = false

    private func finishPowerCut() {
        guard isPowerGoing else { return }
        isPowerGoing = false
        guard state != .off else { return }
        medium.powerWasCut()
        end(.off)
        controller.switchPower(false)
    }

    /// Ends the agent without notice, as SIGKILL does. The board then starts it again.
    public func killAgent() {
        guard state == .running else { return }
        end(.ended)
        planRestart()
    }

    /// Asks the agent to end in order. It stays stopped until ``startAgent()``.
    public func stop() {
        isStopRequested = true
        stepNoLater(than: world.now)
    }

    /// Starts the agent if the board has power and no agent runs.
    public func startAgent() {
        guard state != .running else { return }
        isStopRequested = false
        startCount += 1
        do throws(BoardStartFailure) {
            agent = try makeAgent()
            startFailure = nil
            ending = nil
            state = .running
            world.record(.boardStarted, bootIdentifier)
            onLife(true)
            stepNoLater(than: world.now)
        } catch {
            startFailure = error
            state = .ended
            onLine?("cannot start: \(error)")
            planRestart()
        }
    }

    private func planRestart() {
        guard let delay = setup.restartDelay, !isStopRequested else { return }
        setAlarm(Alarm.start, at: world.now + delay)
    }

    private func end(_ newState: State) {
        lastRadioStatus = agent?.radioStatus
        lastSealCounters = agent?.sealCounters
        agent = nil
        state = newState
        stepAt = .never
        timerAt = .never
        world.record(.boardEnded, bootIdentifier)
        onLife(false)
    }

    /// The root secret of a wearable's matching keys. Its owner derives each day's key and provisions it.
    public private(set) lazy var secret: [UInt8] = {
        var stream = world.random("secret of \(name)")
        return (0..<HeraldKeySchedule.secretByteCount).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
    }()

    private(set) lazy var schedule = HeraldKeySchedule(secret: secret.span, epochDay: Self.heraldEpochDay)
    /// The first day with a matching key, as days since 1970: 2026-01-01.
    public static let heraldEpochDay: UInt32 = 20_454

    // MARK: Steps

    private func stepNoLater(than time: SimulatedTime) {
        let time = max(time, world.now, busyUntil)
        guard state == .running, time < stepAt else { return }
        stepAt = time
        setAlarm(Alarm.packet, at: stepAt)
    }

    override func worldEnds() {
        if state == .running { end(.off) }
        onStep = { _ in }
        onLife = { _ in }
    }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case Alarm.packet:
            guard stepAt == world.now else { return }
            step()
        case Alarm.timer:
            guard timerAt == world.now else { return }
            timerAt = .never
            if deadline <= world.now { step() } else { planTimer() }
        case Alarm.start where state == .ended && !isStopRequested: startAgent()
        default: break
        }
    }

    private var deadline = SimulatedTime.never

    private func step() {
        guard state == .running else { return }
        stepAt = .never
        stepCount &+= 1
        if world.now > busyUntil { wakeCount &+= 1 }
        isStepping = true
        let takenCount = controller.transport.takenCount
        let memory = AgentMemory.byteCount
        AgentMemory.enterStep()
        let next = agent?.step()
        AgentMemory.leaveStep()
        stepMemoryGrowth = AgentMemory.byteCount - memory
        isStepping = false
        let packetCount = UInt64(controller.transport.takenCount - takenCount)
        busyUntil = world.now + setup.stepDuration + setup.packetDuration * packetCount
        if isPowerGoing {
            finishPowerCut()
        } else if let next {
            let now = clock.now
            deadline = next <= now ? busyUntil : max(clock.time(of: next), busyUntil)
            planTimer()
            if let time = controller.transport.nextPacketTime { stepNoLater(than: time) }
        } else {
            ending = agent?.ending
            end(.ended)
            if ending == .configured, setup.restartsWhenConfigured {
                setAlarm(Alarm.start, at: busyUntil)
            } else {
                planRestart()
            }
        }
        onStep(self)
    }

    /// Sets the timer's alarm, unless one rings earlier. A later alarm is set when that one has rung.
    private func planTimer() {
        guard deadline < timerAt else { return }
        timerAt = deadline
        setAlarm(Alarm.timer, at: deadline)
    }
}
