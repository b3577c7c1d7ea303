import FlashSimulator

/// An actor that starts and ends faults. Each kind comes at times of its own and lasts for a while, until
/// the script is stopped.
final class FaultScript: WorldActor {
    /// Called with each start and end of a fault, for a trace.
    var onChange: (String) -> Void = { _ in }
    private let board: SimulatedBoard
    private let diary: FaultDiary
    private let options: RunOptions
    private var randoms: [RandomStream]
    private var active: Set<FaultKind> = []
    private var isOver = false
    private let flash: FlashTrouble
    private var powerOnAt = SimulatedTime.never
    private var random: RandomStream
    private var portRandom: RandomStream

    private static let shortestFault = SimulatedDuration.seconds(5)
    private static let longestFault = SimulatedDuration.seconds(150)
    /// The limit in a world with ``WorldOption/longRadioFaults``.
    private static let longestRadioFault = SimulatedDuration.minutes(25)
    private static let usualClockStep = SimulatedDuration.days(1)
    /// The largest clock step. A clock without a battery shows 1970. A mistyped year may lie beyond 32 bits
    /// of seconds.
    private static let longestClockStep = SimulatedDuration.days(60 * 365)
    /// The share of hang-ups in which the port disappears with the cable.
    private static let portIsGone = 0.34
    private static let longestBlackout = SimulatedDuration.seconds(60)

    init(for board: SimulatedBoard, _ options: RunOptions, diary: FaultDiary, in world: World) {
        self.board = board
        self.options = options
        self.diary = diary
        random = world.random("fault script")
        portRandom = world.random("ports that go")
        randoms = options.faults.map { world.random("fault \($0.kind)") }
        flash = FlashTrouble(of: board.medium, random: world.random("flash trouble"))
        super.init(in: world)
        for index in options.faults.indices { planBeginning(of: index) }
        setAlarm(.caretaker, at: world.now + .seconds(1))
    }

    /// Ends all faults and starts no more. The board gets its power and its agent back.
    func stop() {
        isOver = true
        // The order must not be that of a set. An agent that starts in between sees the faults that have
        // ended already as cured.
        for kind in options.faults.map(\.kind) where active.remove(kind) != nil {
            onChange("ends: \(kind)")
            end(kind)
        }
        board.controller.faults.endAll()
        board.medium.cut = nil
        flash.heal()
        board.line.faults = LineFaults()
        if board.state == .off { board.powerOn() } else { board.startAgent() }
    }

    override func wake(_ alarm: UInt32) {
        guard !isOver else { return }
        switch FaultAlarm(number: alarm) {
        case .caretaker:
            loseClosedAdapter()
            careForPower()
        case .adapterReturns: board.controller.faults.end(.vanishedAdapter)
        case .begins(let index):
            let kind = options.faults[index].kind
            onChange("begins: \(kind)")
            begin(kind, index)
            let isLong = kind.isOfRadio && options.has(.longRadioFaults)
            let longest = isLong ? Self.longestRadioFault : Self.longestFault
            let length = Self.shortestFault + randoms[index].duration(upTo: longest)
            setAlarm(.ends(index), at: world.now + length)
        case .ends(let index):
            let kind = options.faults[index].kind
            if active.remove(kind) != nil {
                onChange("ends: \(kind)")
                end(kind)
            }
            planBeginning(of: index)
        }
    }

    private func setAlarm(_ alarm: FaultAlarm, at time: SimulatedTime) {
        setAlarm(alarm.number, at: time)
    }

    private func planBeginning(of index: Int) {
        let pause = randoms[index].duration(upTo: .seconds(options.faults[index].pauseSeconds * 2))
        setAlarm(.begins(index), at: world.now + pause)
    }

    /// Restores power a while after any cut.
    private func careForPower() {
        setAlarm(.caretaker, at: world.now + .seconds(1))
        guard board.state == .off else { return }
        if powerOnAt == .never { powerOnAt = world.now + random.duration(upTo: Self.longestBlackout) }
        guard powerOnAt <= world.now else { return }
        powerOnAt = .never
        board.powerOn()
    }

    /// Removes a closed adapter now and then. A chip without power, or a dongle that is being reopened, may
    /// come back late.
    private func loseClosedAdapter() {
        let controller = board.controller
        guard options.has(.longRadioFaults), options.transport == .packets, board.state == .running,
            !controller.transport.isOpen, !controller.faults.has(.vanishedAdapter), random.chance(0.2)
        else { return }
        onChange("begins: vanishedAdapter, it being closed")
        controller.faults.begin(.vanishedAdapter)
        let length = Self.shortestFault + random.duration(upTo: Self.longestRadioFault)
        setAlarm(.adapterReturns, at: world.now + length)
    }

    // MARK: Each kind

    private func begin(_ kind: FaultKind, _ index: Int) {
        switch kind {
        case .radio(let fault):
            let cures = fault.possibleCures.filter { options.hasRadioPower || $0 != .powerCycle }
            guard !cures.isEmpty else { return }
            active.insert(kind)
            board.controller.faults.begin(fault, cure: cures[Int(randoms[index].below(UInt64(cures.count)))])
        case .board(let fault): begin(fault, index)
        }
    }

    private func begin(_ fault: BoardFault, _ index: Int) {
        switch fault {
        case .powerCut:
            diary.record(fault)
            board.cutPower()
        case .tornWrite:
            guard board.state == .running else { return }
            diary.record(fault)
            let medium = board.medium
            medium.cut = (medium.changeCount + Int(randoms[index].below(3)), flash.tear(&randoms[index]))
        case .agentKilled:
            diary.record(fault)
            board.killAgent()
        case .agentStopped:
            guard board.state == .running else { return }
            diary.record(fault)
            active.insert(.board(fault))
            board.stop()
        case .bitFlipAtRest:
            diary.record(fault)
            flash.flipAtRest()
        case .wornSegment:
            guard active.insert(.board(fault)).inserted else { return }
            diary.begin(fault)
            flash.begin(fault)
        case .programFailure, .eraseFailure, .lostWrite, .readFailure, .bitFlip, .full:
            active.insert(.board(fault))
            diary.begin(fault)
            flash.begin(fault)
        case .split, .loss, .corruption, .hangUp, .lineSilence:
            active.insert(.board(fault))
            diary.begin(fault)
            disturbLine(fault, &randoms[index])
        case .noWallTime:
            diary.record(fault)
            board.clock.loseWallClock()
        case .wallTimeStep:
            diary.record(fault)
            let longest = randoms[index].chance(0.25) ? Self.longestClockStep : Self.usualClockStep
            let milliseconds = longest.microseconds / 1_000
            board.clock.stepWallClock(
                byMilliseconds: Int64(randoms[index].below(2 * milliseconds)) - Int64(milliseconds))
        }
    }

    private func end(_ kind: FaultKind) {
        switch kind {
        case .radio(let fault): board.controller.faults.end(fault)
        case .board(.agentStopped): if board.state == .ended { board.startAgent() }
        case .board(.wornSegment) where !isOver: active.insert(kind)
        case .board(let fault):
            diary.end(fault)
            flash.end(fault)
            clearLine(of: fault)
        }
    }

    private func disturbLine(_ fault: BoardFault, _ random: inout RandomStream) {
        switch fault {
        case .split: board.line.faults.longestPiece = Int(1 + random.below(100))
        case .loss: board.line.faults.bytesPerLoss = Int(200 + random.below(3_000))
        case .corruption: board.line.faults.bytesPerCorruption = Int(200 + random.below(3_000))
        case .hangUp:
            board.line.faults.isHungUp = random.chance(0.5)
            board.line.faults.isLeft = !board.line.faults.isHungUp
            if portRandom.chance(Self.portIsGone) {
                board.line.faults.isHungUp = false
                board.line.faults.isLeft = false
                board.line.faults.isGone = true
            }
        case .lineSilence: board.line.faults.isSilent = true
        default: break
        }
    }

    private func clearLine(of fault: BoardFault) {
        switch fault {
        case .split: board.line.faults.longestPiece = 0
        case .loss: board.line.faults.bytesPerLoss = 0
        case .corruption: board.line.faults.bytesPerCorruption = 0
        case .hangUp:
            board.line.faults.isHungUp = false
            board.line.faults.isLeft = false
            board.line.faults.isGone = false
        case .lineSilence: board.line.faults.isSilent = false
        default: break
        }
    }
}
