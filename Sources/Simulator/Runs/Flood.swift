import EncounterLog
import HCI

/// A board in the middle of a flood of reports: it must lose no answer, and nobody who stays.
public struct Flood: Sendable {
    public private(set) var reportCount: UInt64 = 0
    /// Reports for which the controller had no room.
    public private(set) var lostReportCount: UInt64 = 0
    /// Commands sent while the flood lasts, and those of them that were answered before the next was sent.
    public private(set) var commandCount = 0
    public private(set) var answerCount = 0
    /// Phones that come in the middle of it, and those of them that were read.
    public private(set) var visitorCount = 0
    public private(set) var readVisitorCount = 0
    public private(set) var recoveryActions: UInt64 = 0
    public private(set) var stayerCount = 0
    /// Encounters opened for those who stayed: one each, and another for each who was not heard for longer than the gap,
    /// with so many on the air.
    public private(set) var stayerEncounterCount = 0
    public private(set) var evictedCount: UInt32 = 0

    /// Flags and Herald's service alone, so that thousands find room on the air.
    private static let shortAdvert: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0x03, 0xf6, 0xfc]

    /// - Parameters:
    ///   - perSecond: reports that the flood brings, nearly each from another address; 0 for a world without it.
    ///   - stayers: devices that take part and stay all the time.
    ///   - visitors: phones that come one after the other while it lasts: each is connected to and read, which takes commands.
    public init(perSecond: UInt64, seconds: UInt64, stayers: Int, visitors: Int = 0, seed: UInt64 = 1) {
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.options += ["encounters.peers=4096"]
        setup.segmentCount = 512
        setup.controller.reportLimit = 4_096
        let board = SimulatedBoard("board", setup, in: world)
        let ledger = CommandLedger()
        board.observeTraffic { packet, isFromBoard in ledger.note(packet, isFromBoard: isFromBoard) }
        let stations = (0..<stayers).map { number in
            let place = Position(Double(number % 16) - 8, Double(number / 16 % 16) - 8)
            let station = Station("stayer \(number)", at: Route(standingAt: place), in: world)
            station.advertise(
                Advertisement(
                    address: .staticRandom(seed: UInt64(number) + 1), kind: .nonConnectable,
                    data: Self.shortAdvert), every: .milliseconds(stayers > 1_000 ? 3_000 : 1_000))
            return station
        }
        board.powerOn()
        world.run(for: .seconds(60))
        // One of sixteen events of a flood is no report.
        board.controller.faults.floodPerSecond = perSecond * 16 / 15 + 1
        ledger.isCounting = true
        let before = board.controller.truth
        if perSecond > 0 { board.controller.faults.begin(.eventFlood) }
        let pause = SimulatedDuration.milliseconds(seconds * 1_000 / UInt64(visitors + 1))
        let phones = (0..<visitors).map { number in
            world.run(for: pause)
            return SimulatedPhone(
                "visitor \(number)", payload: [0x10, UInt8(truncatingIfNeeded: number)],
                at: Route(standingAt: Position(Double(number % 5), 1)), in: world)
        }
        world.run(for: pause)
        reportCount = board.controller.truth.reportsTaken - before.reportsTaken
        lostReportCount = board.controller.truth.reportsLost - before.reportsLost
        ledger.isCounting = false
        if perSecond > 0 { board.controller.faults.end(.eventFlood) }
        world.run(for: .seconds(10))
        (visitorCount, readVisitorCount) = (phones.count, phones.count { $0.servedCount > 0 })
        evictedCount = board.counters?.evicted ?? 0
        recoveryActions = board.radioStatus?.rungs.total ?? .max
        board.stop()
        world.run(for: .seconds(2))
        (commandCount, answerCount) = (ledger.commandCount, ledger.answerCount)
        stayerCount = stations.count
        stayerEncounterCount = Self.openings(
            in: board, of: Set(stations.compactMap { $0.advertisement?.address }))
        world.end()
    }

    private static func openings(in board: SimulatedBoard, of addresses: Set<DeviceAddress>) -> Int {
        (0..<board.medium.geometry.blockCount).reduce(0) { count, number in
            let page = CommittedPage(number: number, of: board)
            return count
                + (page?.entries ?? []).count { entry in
                    guard case .encounterOpened(let body) = entry else { return false }
                    return addresses.contains(body.deviceAddress)
                }
        }
    }
}

/// Counts commands, and the answers that come before the next one.
private final class CommandLedger {
    var isCounting = false
    private(set) var commandCount = 0
    private(set) var answerCount = 0
    private var pending: [UInt8]?

    func note(_ packet: [UInt8], isFromBoard: Bool) {
        if isFromBoard {
            guard packet.count > 2, packet[0] == PacketIndicator.command.rawValue else { return }
            pending = isCounting ? Array(packet[1...2]) : nil
            if isCounting { commandCount += 1 }
        } else if packet.count > 6, packet[0] == PacketIndicator.event.rawValue {
            let isComplete = packet[1] == 0x0e && Array(packet[4...5]) == pending
            let isStatus = packet[1] == 0x0f && Array(packet[5...6]) == pending
            guard isComplete || isStatus else { return }
            pending = nil
            answerCount += 1
        }
    }
}
