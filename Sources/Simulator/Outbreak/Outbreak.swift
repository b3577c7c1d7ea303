import Agent
import FixedMemory
import FlashSimulator
import Schemes

/// An outbreak among wearers of boards with the whole agent, who meet as planned for weeks. Their logs can
/// be fetched when one of them falls ill, and again after the retention time.
public final class Outbreak {
    public struct Options: Sendable {
        public var wearerCount = 9
        public var days: UInt64 = 28
        public var infectiousDays: UInt64 = 7
        public var seed: UInt64 = 1
        /// The boards' settings that enable schemes, as on the command line.
        public var schemeSettings: [String] = []
        /// The scheme secrets of each wearer, by number.
        public var secrets: @Sendable (Int) -> SchemeSettings = { _ in SchemeSettings() }
        /// The root of the CovidTracer keys of each wearer, by number.
        public var covidTracerRoots: @Sendable (Int) -> CovidTracerRootKey? = { _ in nil }

        public init() {}
    }

    /// A wearer's log, as fetched by a host.
    public struct FetchedLog: Sendable {
        public let blockByteCount: Int
        public let segments: [FetchedSegment]

        /// Reads the log. No other log may have the medium mounted.
        public init(on medium: SimulatedMedium) {
            blockByteCount = medium.geometry.blockByteCount
            segments = FetchedSegment.all(on: medium)
        }
    }

    /// The world's beginning: 2026-10-01 00:00 UTC.
    public static let epochSeconds: UInt64 = 1_790_812_800
    private static let longestDriftPPM: UInt64 = 20
    private static let lossWindowSeconds: UInt64 = 60
    /// The number of days after the outbreak, in which the logs are searched again.
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
        // As large as on a board: one page per loss window, and a fifth more.
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

    /// Sets the board's clock once a day, as a network does, and docks the board two hours later.
    private func tellTime(_ board: SimulatedBoard) {
        guard board.state != .off else { return }
        board.clock.setWallClock(wallClock, errorMilliseconds: 200)
        world.after(.hours(2)) { [unowned self] in board.tell(wallClock) }
        world.after(.days(1)) { [unowned self] in tellTime(board) }
    }

    private var wallClock: WallClockTime {
        WallClockTime(milliseconds: Self.epochSeconds * 1_000 + world.now.microseconds / 1_000)
    }

    /// Runs until a day, counted from the beginning.
    public func run(untilDay day: UInt64, progress: (UInt64) -> Void = { _ in }) {
        var next = world.now.microseconds / SimulatedDuration.days(1).microseconds + 1
        while next <= day {
            world.run(until: .zero + .days(next))
            progress(next)
            next += 1
        }
    }

    /// Stops all boards, leaves them without power, and switches them on again.
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

    /// Fetches the log of `wearer`. Its agent is stopped in order for that, and started again.
    public func fetchLog(of wearer: Int) -> FetchedLog {
        let board = boards[wearer]
        board.stop()
        world.run(for: .seconds(5))
        let log = FetchedLog(on: board.medium)
        board.startAgent()
        return log
    }

    /// The root secret of `wearer`'s Herald identities.
    public func heraldSecret(of wearer: Int) -> [UInt8] { boards[wearer].secret }

    /// The host errors that the controllers recorded.
    public var violations: [String] { boards.flatMap(\.controller.violations) }

    /// The time in seconds since 1970.
    public static func seconds(at time: SimulatedTime) -> UInt64 {
        epochSeconds + time.microseconds / 1_000_000
    }

    public func end() { world.end() }
}
