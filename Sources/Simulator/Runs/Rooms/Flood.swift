import EncounterLog
import FixedMemory
import HCI

/// A board in a flood of reports. It must lose no answer, and no device that stays.
public struct Flood: Sendable {
    public let outcome: FloodOutcome

    /// Only flags and Herald's service, so that thousands of devices fit on the air.
    private static let shortAdvert: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0x03, 0xf6, 0xfc]

    /// Runs the flood and evaluates it.
    ///
    /// - Parameters:
    ///   - perSecond: The number of reports per second, nearly each from a different address; 0 for a world
    ///     without a flood.
    ///   - stayers: The number of devices that take part and stay all the time.
    ///   - visitors: The number of phones that come one after the other during the flood. The board connects
    ///     to each and reads it, which needs commands.
    ///   - packetDuration: The time that the board needs per packet; nil for the default.
    public init(
        perSecond: UInt64, seconds: UInt64, stayers: Int, visitors: Int = 0,
        packetDuration: SimulatedDuration? = nil, seed: UInt64 = 1
    ) {
        let world = World(seed: seed)
        var setup = BoardSetup()
        if let packetDuration { setup.packetDuration = packetDuration }
        setup.options += ["encounters.peers=4096", "encounters.gap_seconds=\(FloodOutcome.gapSeconds)"]
        setup.segmentCount = 512
        setup.controller.reportLimit = 4_096
        let board = SimulatedBoard("board", setup, in: world)
        let witness = Witness()
        board.observeTraffic { packet, isFromBoard in
            witness.ledger.record(packet, isFromBoard: isFromBoard)
            if !isFromBoard { witness.recordReports(in: packet, at: world.now) }
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
        // One of 16 events of a flood is a vendor event, not a report.
        board.controller.faults.floodPerSecond = perSecond * 16 / 15 + 1
        let before = board.controller.truth
        let packetsLostBefore = board.controller.transport.lostPacketCount
        witness.begin(at: world.now, seconds: Int(seconds))
        let end = world.now + .seconds(seconds)
        if perSecond > 0 { board.controller.faults.begin(.eventFlood) }
        let pause = SimulatedDuration.milliseconds(seconds * 1_000 / UInt64(visitors + 1))
        let phones = (0..<visitors).map { number in
            world.run(for: pause)
            return SimulatedPhone(
                "visitor \(number)", payload: [0x10, UInt8(truncatingIfNeeded: number)],
                at: Route(standingAt: Position(Double(number % 5), 1)), in: world)
        }
        world.run(until: end)
        witness.end()
        var outcome = FloodOutcome()
        outcome.lostReportCount = board.controller.truth.reportsLost - before.reportsLost
        outcome.lostPacketCount = board.controller.transport.lostPacketCount - packetsLostBefore
        if perSecond > 0 { board.controller.faults.end(.eventFlood) }
        world.run(for: .seconds(10))
        (outcome.visitorCount, outcome.readVisitorCount) = (phones.count, phones.count { $0.servedCount > 0 })
        outcome.recoveryActions = board.radioStatus?.rungs.total ?? .max
        outcome.end = board.clock.now
        board.stop()
        world.run(for: .seconds(2))
        let known = stations.compactMap { $0.advertisement?.address }
        outcome.stays = Self.stays(of: known, in: board)
        witness.tell(&outcome, but: Set(known + phones.flatMap(\.addresses)))
        self.outcome = outcome
        world.end()
    }

    private static func stays(
        of addresses: [DeviceAddress], in board: SimulatedBoard
    ) -> [DeviceAddress: [FloodOutcome.Stay]] {
        var stays: [DeviceAddress: [FloodOutcome.Stay]] = [:]
        for address in addresses { stays[address] = [] }
        var opened = EncounterAddresses()
        /// Changes the last encounter that was opened for a stayer.
        func update(_ encounter: UInt32, _ change: (inout FloodOutcome.Stay) -> Void) {
            guard let address = opened[encounter], var stay = stays[address]?.popLast() else { return }
            change(&stay)
            stays[address]?.append(stay)
        }
        for page in BoardLog(of: board).pages(of: board) {
            opened.begin(page)
            for entry in page.entries {
                opened.record(entry)
                switch entry {
                case .encounterOpened(let body):
                    let stay = FloodOutcome.Stay(opened: body.instant)
                    stays[body.deviceAddress]?.append(stay)
                case .sample(let body):
                    update(body.encounter) {
                        $0.lastHeard = body.end
                        $0.readingCount += Int(body.readings)
                    }
                case .encounterClosed(let body):
                    update(body.encounter) {
                        $0.lastHeard = body.instant
                        $0.readingCount = Int(body.readings)
                        $0.isClosed = true
                    }
                default: break
                }
            }
        }
        return stays
    }
}

/// Records the packets that arrived during the flood.
private final class Witness {
    var ledger = CommandLedger()
    private var start = SimulatedTime.never
    private var reportsBySecond: [UInt64] = []
    private var addresses: Set<DeviceAddress> = []

    func begin(at time: SimulatedTime, seconds: Int) {
        start = time
        reportsBySecond = Array(repeating: 0, count: seconds)
        ledger.isCounting = true
    }

    func end() {
        start = .never
        ledger.isCounting = false
    }

    func recordReports(in packet: [UInt8], at time: SimulatedTime) {
        guard time >= start, packet.count > 4, packet[0] == PacketIndicator.event.rawValue,
            packet[1] == 0x3e, packet[3] == 0x02
        else { return }
        let second = Int((time - start).microseconds / 1_000_000)
        var reports = AdvertisingReports(packet.span.extracting(4..<packet.count))
        while let report = reports.next() {
            addresses.insert(report.address)
            if reportsBySecond.indices.contains(second) { reportsBySecond[second] += 1 }
        }
    }

    /// - Parameter known: The addresses that are not part of the flood.
    func tell(_ outcome: inout FloodOutcome, but known: Set<DeviceAddress>) {
        outcome.reportsBySecond = reportsBySecond
        outcome.randomAddressCount = addresses.subtracting(known).count
        outcome.commandCount = ledger.commandCount
        outcome.answerCount = ledger.answerCount
        outcome.strayAnswerCount = ledger.strayAnswerCount
    }
}
