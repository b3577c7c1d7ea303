import FlashSimulator
import HCI

/// A beacon in a quiet venue for a day: visitors come one by one, stay for some minutes and go. What does it cost the air
/// to know each of them?
public struct QuietDay: Sendable {
    public private(set) var visitorCount = 0
    /// How often the board has read the payload of so many visitors: once, as it should, or more often, or never.
    public private(set) var visitorsByReadCount: [UInt64: Int] = [:]
    /// In the board's log, and those of them of which it knows who it was.
    public private(set) var encounterCount = 0
    public private(set) var identifiedEncounterCount = 0
    /// What the board has sent, and how many links it had, whoever made them.
    public private(set) var airUse = AirUse()
    public private(set) var linkCount: UInt64 = 0
    /// Of the day: the board was told to scan, and its receiver was listening (a window in each interval).
    public private(set) var scanPercent = 0.0
    public private(set) var listenPercent = 0.0
    /// Of the day: the board's transmitter was on.
    public var transmitPercent: Double { 100 * airUse.airTime.seconds / duration.seconds }
    public let duration: SimulatedDuration

    /// Each is read once and only once (HP-C21).
    public var isEachReadOnce: Bool { visitorsByReadCount == [1: visitorCount] }

    private static let shortestStay = SimulatedDuration.minutes(2)
    private static let longestStay = SimulatedDuration.minutes(10)
    /// Nobody comes so late that there would be no time left.
    private static let closing = SimulatedDuration.minutes(11)
    private static let kinds: [PhoneKind] = [.android, .backgroundIPhone, .legacy]

    private final class Tally {
        var reads: [UInt64: Int] = [:]
    }

    /// `options`: the board's settings, beside its place. `progress`: called after each hour with its number.
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
        let timing = board.controller.scanTiming
        board.stop()
        board.world.run(for: .seconds(2))
        scanPercent = 100 * board.controller.truth.timeScanned.seconds / duration.seconds
        listenPercent = scanPercent * timing.window.seconds / timing.interval.seconds
        let log = FormalBoardLog(of: board)
        encounterCount = log.encounterCount
        identifiedEncounterCount = log.identifiedEncounterCount
    }
}

extension RandomStream {
    /// From 0 to 1, in hundredths.
    fileprivate mutating func unit() -> Double { Double(below(101)) / 100 }
}
