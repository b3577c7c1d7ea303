import Agent
import FixedMemory
import Radio

/// Tries one radio fault in a room with some phones. It measures how soon the agent reacts and what it
/// does. It also measures how soon the agent receives again after the cause has ended, and whether the log
/// shows when it was blind.
public struct FaultTrial: Sendable {
    public let outcome: FaultOutcome
    /// The ranges in which the board was blind, in milliseconds from the start of the fault.
    public let blind: [Range<Int64>]
    /// The ranges that the log does not cover, in milliseconds from the start of the fault.
    public let uncovered: [Range<Int64>]

    private static let settling = SimulatedDuration.minutes(2)
    private static let length = SimulatedDuration.minutes(2)
    private static let compared = SimulatedDuration.seconds(90)

    public init(_ fault: ControllerFault, seed: UInt64 = 1, onLine: ((String) -> Void)? = nil) {
        let world = World(seed: seed)
        let board = Self.makeBoard(for: fault, in: world)
        // The commands must arrive undamaged, because they define when the board is blind.
        board.controller.faults.damagesCommands = false
        if let onLine { board.onLine = { onLine("\(world.now.inSeconds) s: \($0)") } }
        var phones = Self.makePhones(in: world)
        board.powerOn()
        if fault == .disallowedAddress { Self.setClock(of: board) }
        world.run(for: Self.settling)

        let watch = FaultWatch(of: board, for: fault)
        let linkCount = board.controller.truth.linkCount
        board.controller.faults.begin(fault)
        watch.look()
        phones.append(Self.makeVisitor(for: fault, in: world))
        // Only several peers' refusals are the controller's, and only a fault leads to a reset.
        if fault == .refusedConnecting { phones.append(Self.makeVisitor(for: fault, number: 98, in: world)) }
        if fault == .slowReset { board.controller.event(0x10, [0x42]) }
        watch.run(for: Self.length)
        let ending = world.now
        let linksMeanwhile = board.controller.truth.linkCount - linkCount
        board.controller.faults.end(fault)
        watch.runCured(for: Self.settling)
        let rungsAfter = board.radioStatus?.rungs
        board.stop()
        world.run(for: .seconds(2))

        let clock = board.clock
        let span =
            clock.now(at: watch.beginning)..<clock.now(at: ending + Self.compared)
        let seeing = watch.sight.seeing()
        let covered = CoverageLog(of: board).stretches
        blind = Self.places(seeing.inverted(within: span), since: span.lowerBound)
        uncovered = Self.places(covered.inverted(within: span), since: span.lowerBound)
        var outcome = FaultOutcome(
            fault,
            blindness: BlindnessComparison(
                seeing: seeing, covered: covered, undecided: watch.sight.undecided(), within: span))
        outcome.detectedAfterSeconds = watch.detectedAfterSeconds
        outcome.harmAfterSeconds = watch.sight.harm.map {
            Double(($0 - span.lowerBound).milliseconds) / 1_000
        }
        outcome.backAfterSeconds = watch.backAfterSeconds
        outcome.rungs = Self.text(from: watch.rungsBefore, to: rungsAfter)
        outcome.linkCount = linksMeanwhile
        outcome.firstRung = Self.firstRung(in: board, since: span.lowerBound)
        self.outcome = outcome
        withExtendedLifetime(phones) { world.end() }
    }

    // MARK: The room

    private static func makeBoard(for fault: ControllerFault, in world: World) -> SimulatedBoard {
        var setup = BoardSetup()
        setup.options += ["log.loss_window_seconds=10"]
        if fault == .corruptedStream { setup.transport = .stream }
        // A beacon sets its address only once, so a wearable is needed here.
        if fault == .disallowedAddress {
            setup.options = ["agent.role=wearable", "log.loss_window_seconds=10"]
        }
        return SimulatedBoard("board", setup, in: world)
    }

    private static func makePhones(in world: World) -> [SimulatedPhone] {
        (0..<5).map { number in
            SimulatedPhone(
                "phone \(number)", payload: [0x10, UInt8(number)],
                at: Route(standingAt: Position(Double(number), 2)), in: world)
        }
    }

    /// Adds a phone after the fault has begun.
    private static func makeVisitor(
        for fault: ControllerFault, number: UInt8 = 99, in world: World
    ) -> SimulatedPhone {
        var kind = PhoneKind.android
        // A phone that reads the board ends its link itself, and the board need not connect. This visitor
        // does not read.
        if fault == .untoldEndings || fault == .refusedConnecting { kind.readsBoardsEvery = nil }
        return SimulatedPhone(
            number == 99 ? "visitor" : "visitor \(number)", kind, payload: [0x10, number],
            at: Route(standingAt: Position(1, 1)), in: world)
    }

    /// Sets the clock so that the wearable changes its identity half a minute after the start of the fault.
    private static func setClock(of board: SimulatedBoard) {
        let period = Interval.minutes(6)
        let change = WallClockTime(days: UInt64(SimulatedBoard.heraldEpochDay) + 40) + 10 * period
        board.clock.setWallClock(
            change - .milliseconds(settling.milliseconds) - .seconds(30), errorMilliseconds: 20)
    }

    // MARK: The outcome

    private static func firstRung(in board: SimulatedBoard, since start: Instant) -> FaultOutcome.FirstRung? {
        for page in BoardLog(of: board).pages(of: board) {
            for case .radio(let entry) in page.entries
            where entry.event == .rungTaken && entry.instant >= start {
                return FaultOutcome.FirstRung(fault: entry.fault, rung: entry.rung)
            }
        }
        return nil
    }

    private static func places(_ stretches: TimeRanges, since start: Instant) -> [Range<Int64>] {
        stretches.ranges.map {
            Int64(($0.lowerBound - start).milliseconds)..<Int64(($0.upperBound - start).milliseconds)
        }
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
