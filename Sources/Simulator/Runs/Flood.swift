import EncounterLog
import HCI

/// A board in the middle of a flood of reports: it must lose no answer, and nobody who stays.
public struct Flood: Sendable {
    public private(set) var reportCount: UInt64 = 0
    /// Reports for which the controller had no room.
    public private(set) var lostReportCount: UInt64 = 0
    public private(set) var commandCount = 0
    public private(set) var answerCount = 0
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
    public init(perSecond: UInt64, seconds: UInt64, stayers: Int, seed: UInt64 = 1) {
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.options += ["encounters.peers=4096"]
        setup.segmentCount = 512
        setup.controller.reportLimit = 4_096
        let board = SimulatedBoard("board", setup, in: world)
        var commands = 0
        var answers = 0
        board.observeTraffic { packet, isFromBoard in
            if isFromBoard, packet[0] == PacketIndicator.command.rawValue { commands += 1 }
            // Command Complete, Command Status; not those without a command.
            if !isFromBoard, packet.count > 6, packet[0] == PacketIndicator.event.rawValue {
                let isComplete = packet[1] == 0x0e && (packet[4] != 0 || packet[5] != 0)
                if isComplete || packet[1] == 0x0f { answers += 1 }
            }
        }
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
        board.controller.faults.floodPerSecond = perSecond
        if perSecond > 0 { board.controller.faults.begin(.eventFlood) }
        world.run(for: .seconds(seconds))
        if perSecond > 0 { board.controller.faults.end(.eventFlood) }
        world.run(for: .seconds(10))
        reportCount = board.controller.truth.reportsTaken
        lostReportCount = board.controller.truth.reportsLost
        evictedCount = board.counters?.evicted ?? 0
        recoveryActions = board.radioStatus?.rungs.total ?? .max
        board.stop()
        world.run(for: .seconds(2))
        (commandCount, answerCount) = (commands, answers)
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
                    return addresses.contains(
                        DeviceAddress(
                            littleEndian: body.address.span.loadUInt48(at: 0), addressType: body.addressType))
                }
        }
    }
}
