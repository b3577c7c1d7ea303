import Agent
import FixedMemory
import FlashSimulator

/// One run of one board, from a seed, in two phases. In the first, safety, anything may fail for at least
/// an hour, and every ``Check`` must hold at every step. In the second, liveness, the faults stop, and the
/// agent must recover (``LivenessPhase``).
public final class SimulatedRun {
    /// The outcome of a run.
    public struct Outcome: Sendable {
        public let options: RunOptions
        public internal(set) var violations: [Violation] = []
        public internal(set) var simulated = SimulatedDuration.zero
        public internal(set) var faultKinds: Set<FaultKind> = []
        public internal(set) var pageCount = 0
        public internal(set) var startCount = 0
        public internal(set) var reportCount: UInt64 = 0
        public internal(set) var acknowledgedByteCount = 0
        /// The reasons why the world had to repair the radio at the end; empty if the agent recovered from
        /// everything.
        public internal(set) var externalRecoveries: Set<ExternalRecovery> = []
        /// A hash of all events.
        public internal(set) var traceHash: UInt64 = 0

        public var hasFailed: Bool { !violations.isEmpty }
    }

    public let options: RunOptions
    public let world: World
    public let board: SimulatedBoard
    private let checker: InvariantChecker
    private let host: SyncingHost
    private let diary: FaultDiary
    private let script: FaultScript
    private let liveness: LivenessPhase
    private let neighbours: Neighbours
    private let messages: OperatorMessages

    public init(_ options: RunOptions) {
        self.options = options
        let world = World(seed: options.seed)
        let board = SimulatedBoard("board", options.boardSetup, in: world)
        if let claim = options.world.lazy.compactMap(\.claim).first {
            board.controller.extendedCommandClaim = claim
        }
        let diary = FaultDiary(of: board.controller, in: world)
        var habits = SyncingHost.Habits()
        habits.hostCount = max(1, options.hostCount)
        if options.has(.operatorSends) { habits.longestPause = .minutes(4) }
        let host = SyncingHost("operator", at: board.line, habits, in: world)
        host.isIdle = options.hostCount == 0 && !options.has(.operatorSends)
        self.world = world
        self.board = board
        self.host = host
        self.diary = diary
        let neighbours = Neighbours(in: world)
        messages = OperatorMessages(to: neighbours, random: world.random("operator's messages"))
        checker = InvariantChecker(
            of: board, host: host, diary: diary, options: options, neighbours: neighbours, in: world)
        script = FaultScript(for: board, options, diary: diary, in: world)
        self.neighbours = neighbours
        liveness = LivenessPhase(checker, host: host, messages: messages)
        if options.has(.operatorSends) { host.nextMessage = { [messages] in messages.next() } }
        world.air.propagation.interference = options.interference
        makePhones()
        addNeighbours()
        if options.knowsWallTime {
            setWallClock(daysEarlier: options.has(.retention) ? options.retentionDays + 2 : 0)
        }
        if options.has(.retention) {
            world.after(.minutes(10)) { [unowned self] in setWallClock(daysEarlier: 0) }
        }
    }

    /// Sets the clock, as network time does, or as somebody who is wrong about the day does.
    private func setWallClock(daysEarlier days: UInt64) {
        board.clock.setWallClock(world.now.wallClock - .days(days), errorMilliseconds: 500)
    }

    /// Prints the agent's log, the faults and the flash operations, with the time.
    public func trace(_ print: @escaping (String) -> Void) {
        board.onLine = { [unowned self] in print("\(world.now.inSeconds) s: \($0)") }
        script.onChange = { [unowned self] in print("\(world.now.inSeconds) s: \($0)") }
        checker.onFlash = { [unowned self] in print("\(world.now.inSeconds) s: \($0)") }
    }

    public func run() -> Outcome {
        board.powerOn()
        world.run(for: options.duration)
        script.stop()
        liveness.run()
        checker.end()
        return outcome()
    }

    private func outcome() -> Outcome {
        var outcome = Outcome(options: options)
        outcome.violations = checker.violations
        outcome.simulated = world.now - .zero
        outcome.faultKinds = diary.kinds
        outcome.pageCount = checker.committedPageCount
        outcome.startCount = board.startCount
        outcome.reportCount = board.controller.truth.reportsTaken
        outcome.acknowledgedByteCount = host.acknowledgedByteCount
        outcome.externalRecoveries = liveness.recoveries
        outcome.traceHash = world.trace.hash
        world.end()
        return outcome
    }

    // MARK: Devices in the room

    private func makePhones() {
        var random = world.random("phones")
        for number in 0..<options.phoneCount {
            let kind = PhoneKind.all[Int(random.below(UInt64(PhoneKind.all.count)))]
            neighbours.add(SimulatedPhone("phone \(number)", kind, at: route(&random), in: world))
        }
        for number in 0..<options.unsupportedPeerCount {
            let kind = Bystander.Kind.allCases[Int(random.below(UInt64(Bystander.Kind.allCases.count)))]
            neighbours.bystanders.append(Bystander("stranger \(number)", kind, at: route(&random), in: world))
        }
        scheduleVisits(&random)
    }

    private func route(_ random: inout RandomStream) -> Route {
        Route(standingAt: Position.inRoom(&random))
    }

    /// Lets phones and bystanders leave now and then, and come back.
    private func scheduleVisits(_ random: inout RandomStream) {
        for station in neighbours.phones as [Station] + neighbours.bystanders where random.chance(0.6) {
            neighbours.scheduleVisits(of: station, until: .zero + options.duration, &random)
        }
    }

    /// Adds the devices of world options. They draw from a stream of their own, so that they change nothing
    /// for the devices before.
    private func addNeighbours() {
        var random = world.random("company")
        let end = SimulatedTime.zero + options.duration
        neighbours.addSchemePhones(
            WorldOption.allCases.filter(options.has).flatMap(\.phoneKinds), until: end, &random)
        for option in WorldOption.allCases where options.has(option) && option.isOfExposureNotification {
            for number in 0..<1 + random.below(3) {
                neighbours.bystanders.append(
                    Bystander(
                        "phone with \(option.rawValue) \(number)", .exposureNotification, at: route(&random),
                        in: world))
            }
        }
        if options.has(.neighbour) { neighbours.addNeighbour(until: end, &random) }
        var guests = world.random("guests")
        neighbours.addGuests(WorldOption.allCases.filter(options.has).flatMap(\.guests), until: end, &guests)
    }
}
