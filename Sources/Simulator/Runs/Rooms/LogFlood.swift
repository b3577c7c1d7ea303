import EncounterLog
import FixedMemory
import FlashSimulator
import HCI

/// Somebody floods a board with Herald adverts for hours, while phones come and go. The run measures what
/// that writes into the log, and what it costs the phones.
public struct LogFlood: Sendable {
    public let duration: SimulatedDuration
    /// The number of the flood's adverts that the board may have received.
    public private(set) var advertCount: UInt64 = 0
    public private(set) var visitorCount = 0
    /// The visitors whose identity is in the log.
    public private(set) var identifiedVisitorCount = 0
    /// The bytes of pages in each hour, with their overhead.
    public private(set) var logBytesByHour: [UInt64] = []
    public private(set) var programmedByteCount: UInt64 = 0
    /// The pages that the ring overwrote although nobody had fetched them.
    public private(set) var overwrittenPageCount = 0
    /// The encounters that the log has only as a number.
    public private(set) var unloggedCount: UInt64 = 0
    /// The part of the time in which the board scanned, in percent.
    public private(set) var scanPercent = 0.0

    /// At most as many bytes an hour go to the log for peers that neither stay nor give their identity.
    public static let fleetingByteLimit: UInt64 = 256 << 10
    /// At most as many bytes a day are programmed beyond what identified encounters need.
    public static let dailyByteLimit: UInt64 = 100 << 20

    private static let stay = SimulatedDuration.minutes(3)

    /// - Parameters:
    ///   - adverts: The flood's adverts; nil for the same world without a flood.
    ///   - minutesBetweenVisitors: The time from one visitor's arrival to the next one's.
    ///   - progress: Called after each simulated minute with its number.
    public init(
        of adverts: FloodAdverts?, perSecond: UInt64 = 500, minutes: UInt64,
        minutesBetweenVisitors: UInt64 = 5,
        seed: UInt64 = 1, options: [String] = [], progress: (UInt64) -> Void = { _ in }
    ) {
        duration = .minutes(minutes)
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.options += options
        setup.blockByteCount = 4_096
        setup.blocksPerSegment = 64
        // Smaller than a board's, so that a flood that fills it is noticed within the hour.
        setup.segmentCount = 64
        let board = SimulatedBoard("beacon", setup, in: world)
        let pages = PageCounter(of: board)
        board.powerOn()
        board.controller.faults.floodPerSecond = perSecond
        board.controller.faults.floodAdverts = adverts
        if adverts != nil { board.controller.faults.begin(.eventFlood) }
        var payloads: [[UInt8]] = []
        for minute in 0..<minutes {
            if minute % minutesBetweenVisitors == 1, minute + 4 < minutes {
                let payload = [0x10] + (0..<4).map { UInt8(truncatingIfNeeded: minute >> (8 * $0)) }
                payloads.append(payload)
                let phone = SimulatedPhone(
                    "visitor \(minute)", payload: payload, at: Route(standingAt: Position(2, 1)), in: world)
                world.after(Self.stay) { phone.leaveForGood() }
            }
            world.run(until: .zero + .minutes(minute + 1))
            progress(minute + 1)
        }
        if adverts != nil { board.controller.faults.end(.eventFlood) }
        unloggedCount = UInt64(board.counters?.unlogged ?? 0)
        board.stop()
        world.run(for: .seconds(2))
        advertCount = board.controller.faults.floodAdvertCount
        scanPercent = 100 * board.controller.truth.timeScanned.seconds / duration.seconds
        logBytesByHour = pages.logBytesByHour
        programmedByteCount = pages.programmedByteCount
        overwrittenPageCount = pages.overwrittenPageCount
        visitorCount = payloads.count
        let identities = Set(BoardEncounters(of: board).encounters.values.map(\.identity))
        identifiedVisitorCount = payloads.count { identities.contains($0) }
        world.end()
    }

    /// The most bytes that an hour has beyond the same hour without the flood.
    public func additionalBytesPerHour(beside calm: LogFlood) -> UInt64 {
        logBytesByHour.enumerated().map { hour, count in
            let usual = calm.logBytesByHour.indices.contains(hour) ? calm.logBytesByHour[hour] : 0
            return count > usual ? count - usual : 0
        }.max() ?? 0
    }

    /// The bytes that the board's allowances give at once, which a short run must not count as a rate.
    private static let burst: UInt64 = (32 + 256 + 1_024) << 10

    /// The bytes programmed in a day at this rate, beyond those without the flood.
    public func additionalBytesPerDay(beside calm: LogFlood) -> UInt64 {
        let additional =
            programmedByteCount > calm.programmedByteCount
            ? programmedByteCount - calm.programmedByteCount : 0
        let rest = additional > Self.burst ? additional - Self.burst : 0
        return additional - rest + rest * 86_400_000 / max(duration.microseconds / 1_000, 1)
    }

    /// The first requirement that the flood does not meet; nil if it meets all.
    ///
    /// - Parameter hourlyLimit: The limit of bytes an hour for the flood's peers.
    public func complaint(beside calm: LogFlood, hourlyLimit: UInt64 = Self.fleetingByteLimit) -> String? {
        if advertCount == 0 { return "that was no flood" }
        if overwrittenPageCount > 0 { return "\(overwrittenPageCount) pages were overwritten unfetched" }
        if identifiedVisitorCount < calm.identifiedVisitorCount {
            return
                "\(identifiedVisitorCount) of \(visitorCount) visitors are in the log with their identity, "
                + "without the flood \(calm.identifiedVisitorCount)"
        }
        let hourly = additionalBytesPerHour(beside: calm)
        if hourly > hourlyLimit { return "\(hourly) bytes of log in an hour for the flood" }
        let daily = additionalBytesPerDay(beside: calm)
        if daily > Self.dailyByteLimit { return "\(daily) bytes programmed a day for the flood" }
        return nil
    }
}
