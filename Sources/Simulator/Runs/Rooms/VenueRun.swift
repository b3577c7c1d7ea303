import EncounterLog
import FlashSimulator

/// A beacon in a venue for weeks. Visitors come during opening hours, stay for a while and leave.
public struct VenueRun: Sendable {
    public private(set) var visitorCount = 0
    /// The number of different identities in the log.
    public private(set) var identityCount = 0
    public private(set) var encounterCount = 0
    public private(set) var logByteCount = 0
    public private(set) var reportCount: UInt64 = 0
    public private(set) var recoveryActions: UInt64 = 0
    /// The limit of recovery actions. The last visitors of an evening are missed: that is one climb of the
    /// ladder, and then up to five resets in the night (docs/radio-supervisor.md). One or two who come
    /// early, or stay late alone, and leave cost some five more.
    public static let recoveryActionsLimitPerDay: UInt64 = 20
    /// The bytes of memory that the agent took after the first day and did not free. On the first day the
    /// Swift runtime creates metadata of what happens for the first time; nil if that was the only day.
    public private(set) var memoryGrowth: Int64?

    private static let opening = SimulatedDuration.hours(9)
    private static let openSeconds: UInt64 = 11 * 3_600
    private static let shortestStaySeconds: UInt64 = 300
    private static let longestStaySeconds: UInt64 = 5_400

    private final class Tally {
        var growth: Int64 = 0
        var identities: Set<[UInt8]> = []
        var encounters = 0
        var pending: [Int] = []
    }

    /// - Parameter progress: Called after each day with its number.
    public init(days: UInt64, visitorsPerDay: UInt64, seed: UInt64 = 1, progress: (UInt64) -> Void = { _ in })
    {
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.blockByteCount = 4_096
        setup.blocksPerSegment = 64
        setup.segmentCount = 64
        setup.options += ["log.loss_window_seconds=300"]
        let board = SimulatedBoard("beacon", setup, in: world)
        let tally = Tally()
        Self.readLog(of: board, into: tally)
        board.powerOn()
        var random = world.random("visitors")
        for day in 0..<days {
            for visitor in 0..<visitorsPerDay {
                visitorCount += 1
                Self.plan(day: day, number: day * visitorsPerDay + visitor, &random, in: world)
            }
            world.run(until: .zero + .days(day + 1))
            if day == 0 { board.onStep = { tally.growth += $0.stepMemoryGrowth } }
            progress(day + 1)
        }
        reportCount = board.controller.truth.reportsTaken
        recoveryActions = board.radioStatus?.rungs.total ?? .max
        memoryGrowth = days > 1 ? tally.growth : nil
        board.stop()
        world.run(for: .seconds(5))
        identityCount = tally.identities.count
        encounterCount = tally.encounters
        logByteCount = Int(board.medium.programCount) * setup.blockByteCount
        world.end()
    }

    private static func plan(day: UInt64, number: UInt64, _ random: inout RandomStream, in world: World) {
        let arrival =
            SimulatedTime.zero + .days(day) + opening + .seconds(random.below(openSeconds))
        let stay = SimulatedDuration.seconds(
            shortestStaySeconds + random.below(longestStaySeconds - shortestStaySeconds))
        let place = Position(Double(random.below(160)) / 10 - 8, Double(random.below(160)) / 10 - 8)
        let payload = [0x10] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        world.at(arrival) {
            let phone = SimulatedPhone(
                "visitor \(number)", payload: payload, at: Route(standingAt: place), in: world)
            world.after(stay) { phone.leaveForGood() }
        }
    }

    private static func readLog(of board: SimulatedBoard, into tally: Tally) {
        board.medium.onOperation = { [unowned board] operation in
            switch operation {
            case .program(let block, true): tally.pending.append(block)
            case .sync(true):
                for number in tally.pending {
                    for entry in CommittedPage(number: number, of: board)?.entries ?? [] {
                        if case .encounterOpened = entry { tally.encounters += 1 }
                        guard case .encounterIdentified(let body) = entry else { continue }
                        tally.identities.insert((0..<body.identity.count).map { body.identity[$0] })
                    }
                }
                tally.pending = []
            default: break
            }
        }
    }
}
