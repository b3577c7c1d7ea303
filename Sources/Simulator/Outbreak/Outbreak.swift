import Agent
import FixedMemory
import FlashSimulator
import Schemes

/// An outbreak among wearers: boards with the whole agent, who meet as planned for weeks. What they recorded can be
/// fetched when one of them falls ill, and once more when nobody keeps it any longer.
public final class Outbreak {
    public struct Options: Sendable {
        public var wearerCount = 9
        public var days: UInt64 = 28
        public var infectiousDays: UInt64 = 7
        public var seed: UInt64 = 1
        /// Settings of all boards, as on the command line, that say what they take part in.
        public var schemeSettings: [String] = []
        /// What each has for its schemes' secrets, by its number.
        public var secrets: @Sendable (Int) -> SchemeSettings = { _ in SchemeSettings() }
        /// What each one's keys in CovidTracer follow from, by its number.
        public var covidTracerRoots: @Sendable (Int) -> CovidTracerRootKey? = { _ in nil }

        public init() {}
    }

    /// A wearer's log, as a host fetches it.
    public struct FetchedLog: Sendable {
        public let blockByteCount: Int
        public let segments: [FetchedSegment]

        /// Nobody else may have it mounted.
        public init(on medium: SimulatedMedium) {
            blockByteCount = medium.geometry.blockByteCount
            segments = FetchedSegment.all(on: medium)
        }
    }

    /// 2026-10-01 00:00 UTC: when the world begins.
    public static let epochSeconds: UInt64 = 1_790_812_800
    private static let longestDriftPPM: UInt64 = 20
    private static let lossWindowSeconds: UInt64 = 60
    /// The days of the outbreak, and those on which what was recorded is looked for again.
    private static let furtherDays: UInt64 = 3

    public let plan: OutbreakPlan
    public let world: World
    private let boards: [SimulatedBoard]

    public init(_ options: Options) {
        world = World(seed: options.seed)
        var random = world.random("outbreak")
        plan = OutbreakPlan(
            wearerCount: options.wearerCount, days: options.days, infectiousDays: options.infectiousDays,
            random: &random)
        var setup = BoardSetup()
        setup.options =
            ["agent.role=wearable", "log.loss_window_seconds=\(Self.lossWindowSeconds)"]
            + options.schemeSettings
        // As large as boards make their logs: a page in each loss window, and a fifth more.
        let pages = (options.days + Self.furtherDays) * 86_400 / Self.lossWindowSeconds * 6 / 5
        setup.blockByteCount = 1_024
        setup.blocksPerSegment = 64
        setup.segmentCount = Int(pages) / setup.blocksPerSegment + 1
        boards = (0..<options.wearerCount).map { [plan, world] number in
            var own = setup
            own.schemes = options.secrets(number)
            own.covidTracerRoot = options.covidTracerRoots(number)
            own.place = plan.route(of: number)
            own.driftPPM =
                Int64(random.below(2 * Self.longestDriftPPM + 1)) - Int64(Self.longestDriftPPM)
            return SimulatedBoard("wearer \(number)", own, in: world)
        }
        for board in boards {
            board.powerOn()
            tellTime(board)
        }
    }

    /// Somebody's phone or network tells the board the time once a day.
    private func tellTime(_ board: SimulatedBoard) {
        guard board.state != .off else { return }
        board.clock.setWallClock(
            milliseconds: Self.epochSeconds * 1_000 + world.now.microseconds / 1_000, errorMilliseconds: 200)
        world.after(.days(1)) { [unowned self] in tellTime(board) }
    }

    /// Days since the beginning.
    public func run(untilDay day: UInt64, progress: (UInt64) -> Void = { _ in }) {
        var next = world.now.microseconds / SimulatedDuration.days(1).microseconds + 1
        while next <= day {
            world.run(until: .zero + .days(next))
            progress(next)
            next += 1
        }
    }

    /// All boards lie in a drawer, without power, and are switched on again.
    public func putAway(forDays days: UInt64) {
        for board in boards { board.stop() }
        world.run(for: .seconds(5))
        for board in boards { board.cutPower() }
        world.run(for: .days(days))
        for board in boards {
            board.powerOn()
            tellTime(board)
        }
    }

    /// What `wearer`'s medium holds. Its agent is stopped for it, in order, and started again.
    public func fetchLog(of wearer: Int) -> FetchedLog {
        let board = boards[wearer]
        board.stop()
        world.run(for: .seconds(5))
        let log = FetchedLog(on: board.medium)
        board.startAgent()
        return log
    }

    /// What `wearer`'s Herald identities follow from.
    public func heraldSecret(of wearer: Int) -> [UInt8] { boards[wearer].secret }

    /// What controllers found wrong with their hosts.
    public var violations: [String] { boards.flatMap(\.controller.violations) }

    /// Seconds since 1970.
    public static func seconds(at time: SimulatedTime) -> UInt64 {
        epochSeconds + time.microseconds / 1_000_000
    }

    public func end() { world.end() }
}
