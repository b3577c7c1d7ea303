import EncounterLog
import FixedMemory
import FlashSimulator

/// A board in a room in which groups of devices come and leave at once, with long pauses. None of that is a
/// fault of its radio.
public struct SparseRoom: Sendable {
    /// The number of groups that came and left.
    public private(set) var groupCount = 0
    /// The entries of faults and recovery steps in the board's log; a reset after a departure is none.
    public private(set) var faultCount = 0
    /// The recovery steps that the board counts, resets after departures included.
    public private(set) var rungCount: UInt64 = 0
    public private(set) var coveredFraction = 0.0
    /// The longest time without coverage.
    public private(set) var longestUncoveredSeconds = 0.0
    /// When that began, in seconds from the start.
    public private(set) var longestUncoveredStartSeconds = 0.0

    /// The largest group.
    public static let mostDevices = 12
    /// After a departure the board may be uncertain for so long.
    public static let uncoveredLimitSeconds = 30.0
    public static let coveredLimit = 0.99

    private static let shortestStay = SimulatedDuration.seconds(20)
    private static let shortestPause = SimulatedDuration.minutes(15)

    public init(days: UInt64, seed: UInt64 = 1, onLine: ((String) -> Void)? = nil) {
        let world = World(seed: seed)
        var random = world.random("groups")
        var setup = BoardSetup()
        (setup.blockByteCount, setup.blocksPerSegment, setup.segmentCount) = (4_096, 64, 64)
        let board = SimulatedBoard("board", setup, in: world)
        if let onLine { board.onLine = { onLine("\(world.now.inSeconds) s: \($0)") } }
        board.powerOn()
        world.run(for: .seconds(1))
        let start = board.clock.now
        let end = world.now + .days(days)
        while world.now < end {
            let count = 1 + Int(random.below(UInt64(Self.mostDevices)))
            let group = (0..<count).map { Self.device(group: groupCount, number: $0, &random, in: world) }
            world.run(for: Self.shortestStay + random.duration(upTo: .minutes(10)))
            for device in group { device.leaveForGood() }
            onLine?("\(world.now.inSeconds) s: group \(groupCount) of \(count) leaves: \(group.map(\.name))")
            groupCount += 1
            world.run(for: Self.shortestPause + random.duration(upTo: .minutes(90)))
        }
        rungCount = board.radioStatus?.rungs.total ?? .max
        let last = board.clock.now
        board.stop()
        world.run(for: .seconds(2))
        let blind = CoverageLog(of: board).stretches.inverted(within: start..<last)
        coveredFraction = 1 - Double(blind.length.milliseconds) / Double((last - start).milliseconds)
        longestUncoveredSeconds = Double(blind.longest.milliseconds) / 1_000
        if let longest = blind.ranges.first(where: { $0.length == blind.longest }) {
            longestUncoveredStartSeconds = Double((longest.lowerBound - start).milliseconds) / 1_000
        }
        for page in BoardLog(of: board).pages(of: board) {
            for case .radio(let entry) in page.entries where entry.event != .assumedEmpty { faultCount += 1 }
        }
        world.end()
    }

    /// A device that the board connects to, or one that it only hears: often, now and then, or with ever new
    /// addresses.
    private static func device(
        group: Int, number: Int, _ random: inout RandomStream, in world: World
    ) -> Station {
        let name = "device \(group).\(number)"
        let place = Route(standingAt: Position(Double(1 + random.below(8)), Double(random.below(6))))
        let kinds = Bystander.Kind.allCases
        let choice = Int(random.below(UInt64(kinds.count + 2)))
        guard choice < kinds.count else {
            return SimulatedPhone(
                name, payload: [UInt8(truncatingIfNeeded: group), UInt8(number)], at: place, in: world)
        }
        return Bystander(name, kinds[choice], at: place, in: world)
    }

    /// The first requirement that the room does not meet; nil if it meets all.
    public var complaint: String? {
        if faultCount > 0 { return "a departure was taken for a fault of the radio" }
        if rungCount > UInt64(groupCount) { return "more resets than departures" }
        if coveredFraction < Self.coveredLimit { return "less than 99 % covered" }
        if longestUncoveredSeconds > Self.uncoveredLimitSeconds { return "uncovered for too long" }
        return nil
    }
}
