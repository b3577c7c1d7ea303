import Agent

/// One fault of the radio in a room with some phones: how soon the agent notices, what it does, and how soon it hears
/// again when the cause has gone.
public struct FaultTrial: Sendable {
    public let fault: ControllerFault
    /// After the fault's beginning; nil: it did nothing about it.
    public private(set) var detectedAfterSeconds: Double?
    /// After the end of the fault's cause; nil: never.
    public private(set) var backAfterSeconds: Double?
    public private(set) var rungs = ""
    /// From the fault's beginning to the first good report after its end: how long nothing good came, and how long the
    /// log says that nobody was covered.
    public private(set) var blindSeconds = 0.0
    public private(set) var uncoveredSeconds = 0.0

    public static let detectionLimitSeconds = 30.0
    public static let recoveryLimitSeconds = 60.0
    public static let coverageToleranceSeconds = 5.0

    private static let settling = SimulatedDuration.minutes(2)
    private static let length = SimulatedDuration.minutes(2)

    /// What is not as it must be; nil: all is.
    public var complaint: String? {
        // Some that blind a board do so only if it does something at the wrong time.
        if fault.blinds, blindSeconds > 0, detectedAfterSeconds ?? .infinity > Self.detectionLimitSeconds {
            return "not detected in time"
        }
        if backAfterSeconds ?? .infinity > Self.recoveryLimitSeconds { return "not back in time" }
        // Time that is not covered though something came is no lie: the agent had its doubts.
        if uncoveredSeconds < blindSeconds - Self.coverageToleranceSeconds { return "coverage is not true" }
        return nil
    }

    public init(_ fault: ControllerFault, seed: UInt64 = 1, onLine: ((String) -> Void)? = nil) {
        self.fault = fault
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.options += ["log.loss_window_seconds=10"]
        if fault == .corruptedStream { setup.transport = .stream }
        let board = SimulatedBoard("board", setup, in: world)
        if let onLine { board.onLine = { onLine("\(world.now.inSeconds) s: \($0)") } }
        let phones = (0..<5).map { number in
            SimulatedPhone(
                "phone \(number)", payload: [0x10, UInt8(number)],
                at: Route(standingAt: Position(Double(number), 2)), in: world)
        }
        board.powerOn()
        world.run(for: Self.settling)
        measure(board, world)
        withExtendedLifetime(phones) { world.end() }
    }

    private mutating func measure(_ board: SimulatedBoard, _ world: World) {
        let before = board.radioStatus?.rungs.total ?? 0
        let counts = board.radioStatus?.rungs
        let beginning = world.now
        var lastGood = board.controller.truth.lastGoodReportTaken ?? beginning
        var longestGap: (start: SimulatedTime, end: SimulatedTime) = (beginning, beginning)
        board.controller.faults.begin(fault)
        let visitor = SimulatedPhone(
            "visitor", payload: [0x10, 99], at: Route(standingAt: Position(1, 1)), in: world)
        func watch(_ duration: SimulatedDuration, _ seen: (SimulatedTime) -> Void) {
            let end = world.now + duration
            while world.now < end {
                world.run(for: .milliseconds(100))
                if detectedAfterSeconds == nil, hasActed(board, since: before) {
                    detectedAfterSeconds = (world.now - beginning).seconds
                }
                if let good = board.controller.truth.lastGoodReportTaken, good > lastGood {
                    if (good - lastGood) > (longestGap.end - longestGap.start) {
                        longestGap = (lastGood, good)
                    }
                    lastGood = good
                    seen(good)
                }
            }
        }
        watch(Self.length) { _ in }
        let ending = world.now
        board.controller.faults.end(fault)
        watch(Self.settling) { good in
            if backAfterSeconds == nil { backAfterSeconds = (good - ending).seconds }
        }
        if world.now - lastGood > longestGap.end - longestGap.start { longestGap = (lastGood, world.now) }
        withExtendedLifetime(visitor) {}
        rungs = Self.text(from: counts, to: board.radioStatus?.rungs)
        board.stop()
        world.run(for: .seconds(2))
        let log = CoverageLog(of: board)
        let clock = board.clock
        if longestGap.end - longestGap.start > .seconds(5) {
            blindSeconds = (longestGap.end - longestGap.start).seconds
        }
        uncoveredSeconds =
            Double(
                log.blindMilliseconds(
                    from: clock.monotonicMilliseconds(at: beginning),
                    to: clock.monotonicMilliseconds(at: ending + .seconds(90)))) / 1_000
    }

    private func hasActed(_ board: SimulatedBoard, since before: UInt64) -> Bool {
        guard let status = board.radioStatus else { return true }
        return status.rungs.total > before || status.state == .recovering
    }

    private static func text(from before: RungCounts?, to after: RungCounts?) -> String {
        guard let before, let after else { return "agent ended" }
        let counts = [
            ("scan", after.restartScan - before.restartScan),
            ("roles", after.restartRoles - before.restartRoles),
            ("reset", after.reset - before.reset), ("reopen", after.reopen - before.reopen),
            ("power", after.powerCycle - before.powerCycle),
        ]
        return counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}
