import FlashSimulator
import HCI

/// A beacon in a quiet venue for a day: visitors come one by one, stay for some minutes and leave. The run
/// measures the air time that identifying each of them takes.
public struct QuietDay: Sendable {
    public private(set) var visitorCount = 0
    /// The number of visitors by how often the board read their payload. Each should be read once.
    public private(set) var visitorsByReadCount: [UInt64: Int] = [:]
    /// The encounters in the board's log.
    public private(set) var encounterCount = 0
    /// The encounters in the board's log that have an identity.
    public private(set) var identifiedEncounterCount = 0
    /// The packets that the board has sent.
    public private(set) var airUse = AirUse()
    /// The number of the board's links in either direction.
    public private(set) var linkCount: UInt64 = 0
    /// The percentage of the day for which the board's scan was enabled.
    public private(set) var scanPercent = 0.0
    /// The percentage of the day for which the board's receiver listened: a window in each scan interval.
    public private(set) var listenPercent = 0.0
    /// The percentage of the day for which the board's transmitter was on.
    public var transmitPercent: Double { 100 * airUse.airTime.seconds / duration.seconds }
    public let duration: SimulatedDuration

    /// Whether each visitor was read exactly once (HP-C21).
    public var isEachReadOnce: Bool { visitorsByReadCount == [1: visitorCount] }

    private static let shortestStay = SimulatedDuration.minutes(2)
    private static let longestStay = SimulatedDuration.minutes(10)
    /// The last visitor comes this long before the end, so that every stay fits.
    private static let closing = SimulatedDuration.minutes(11)
    private static let kinds: [PhoneKind] = [.android, .backgroundIPhone, .legacy]

    private final class Tally {
        var reads: [UInt64: Int] = [:]
    }

    /// - Parameters:
    ///   - options: The board's settings, beside its location.
    ///   - progress: Called after each hour with its number.
    public init(
        visitors: Int, hours: UInt64, seed: UInt64 = 1, options: [String] = [],
        progress: (UInt64) -> Void = { _ in }
    ) {
        duration = .hours(hours)
        visitorCount = visitors
        let world = World(seed: seed)
        world.air.propagation = FormalRoom.propagation
        var setup = BoardSetup()
        setup.options += options
        setup.blockByteCount = 4_096
        setup.blocksPerSegment = 64
        setup.segmentCount = 64
        let board = SimulatedBoard("beacon", setup, in: world)
        board.controller.advertisesUnheard = true
        board.powerOn()
        let tally = Tally()
        plan(in: world, tally)
        for hour in 1...hours {
            world.run(until: .zero + .hours(hour))
            progress(hour)
        }
        take(board)
        visitorsByReadCount = tally.reads
        world.end()
    }

    private func plan(in world: World, _ tally: Tally) {
        var random = world.random("visitors")
        let places = FormalRoom.longestMetres / 2
        for number in 0..<visitorCount {
            let arrival =
                SimulatedTime.zero + .minutes(1)
                + random.duration(upTo: .microseconds((duration.microseconds - Self.closing.microseconds)))
            let stay =
                Self.shortestStay
                + random.duration(
                    upTo: .microseconds(Self.longestStay.microseconds - Self.shortestStay.microseconds))
            let place = Position(places * random.unit(), places * random.unit())
            world.at(arrival) {
                let phone = SimulatedPhone(
                    "visitor \(number)", Self.kinds[number % Self.kinds.count],
                    at: Route(standingAt: place), in: world)
                world.after(stay) {
                    tally.reads[phone.servedCount, default: 0] += 1
                    phone.leaveForGood()
                }
            }
        }
    }

    private mutating func take(_ board: SimulatedBoard) {
        airUse = board.controller.airUse
        linkCount = board.controller.truth.linkCount
        board.stop()
        board.world.run(for: .seconds(2))
        scanPercent = 100 * board.controller.truth.timeScanned.seconds / duration.seconds
        listenPercent = 100 * board.controller.truth.secondsListened / duration.seconds
        let log = BoardEncounters(of: board)
        encounterCount = log.encounterCount
        identifiedEncounterCount = log.identifiedEncounterCount
    }
}

extension RandomStream {
    /// A random number from 0 to 1, in hundredths.
    fileprivate mutating func unit() -> Double { Double(below(101)) / 100 }
}
