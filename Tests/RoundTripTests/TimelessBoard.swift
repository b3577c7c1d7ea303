import Archive
import BoardLink
import FlashSimulator
import Foundation
import HCI
import Sync
import Testing

@testable import Simulator

/// A board whose clock starts at 1970 with each power cut, or where it was at the last one, and whose quartz is off by tens
/// of ppm. People come and go; a host meets it now and then. The agent and the sync client are as they are, and what is true is kept beside.
final class TimelessBoard {
    /// 1970 to the world's beginning, in milliseconds.
    private static let epoch: Int64 = 1_790_000_000_000

    let archive: Archive
    let board: SimulatedBoard
    /// When the agent was given a reading of whom, by address as people write it: milliseconds since 1970, in truth.
    private(set) var readings: [String: [Double]] = [:]
    private let world: World
    private var random: RandomStream
    /// The board's monotonic clock of each start, which only the world can read.
    private var clocks: [UInt64: BoardClock] = [:]
    /// What the system clock goes on from: a file that is written at each shutdown, or 1970.
    private var restoredMilliseconds: UInt64
    private let restoresClock: Bool
    /// How long it was without power, each time.
    private(set) var restMilliseconds: [Double] = []

    init(seed: UInt64, restoresClock: Bool = false) throws {
        self.restoresClock = restoresClock
        restoredMilliseconds = restoresClock ? UInt64(Self.epoch) : 4_000
        world = World(seed: seed)
        random = world.random("life")
        var setup = BoardSetup()
        setup.options += ["encounters.raw=true", "log.loss_window_seconds=10"]
        setup.driftPPM = Int64(random.below(161)) - 80
        board = SimulatedBoard("board", setup, in: world)
        archive = try Archive(inMemoryNamed: "time \(seed)")
        board.controller.transport.onTaken = { [unowned self] in note($0) }
    }

    private func note(_ packet: [UInt8]) {
        guard packet.count > 4, packet[0] == 4, packet[1] == 0x3e, packet[3] == 2 else { return }
        let parameters = packet.span.extracting(4..<packet.count)
        var reports = AdvertisingReports(parameters)
        while let report = reports.next() {
            guard report.rssi != nil else { continue }
            let bytes = report.address.bytes
            let address = (0..<6).reversed().map { String(format: "%02X", bytes[$0]) }
            readings[address.joined(separator: ":"), default: []].append(Self.wallTime(world.now))
        }
    }

    private static func wallTime(_ time: SimulatedTime) -> Double {
        Double(epoch) + Double(time.microseconds) / 1_000
    }

    /// When the board's monotonic clock said that, in that start; nil for a start that never was.
    func wallTime(ofMonotonicMilliseconds milliseconds: UInt64, boot: UInt64) -> Double? {
        (clocks[boot]?.time(ofMonotonicMilliseconds: milliseconds)).map(Self.wallTime)
    }

    // MARK: What happens to it

    func powerOn() {
        board.powerOn()
        board.clock.setWallClock(milliseconds: restoredMilliseconds, errorMilliseconds: .max)
        clocks[board.bootIdentifier] = BoardClock(driftPPM: board.setup.driftPPM, in: world)
    }

    /// The agent is killed and started again; the clocks run on.
    func restartAgent() {
        let clock = clocks[board.bootIdentifier]
        board.killAgent()
        world.run(for: .seconds(10))
        clocks[board.bootIdentifier] = clock
    }

    /// A number below `limit`.
    func draw(below limit: UInt64) -> UInt64 { random.below(limit) }

    /// It is without power for a while.
    func rest(upTo longest: SimulatedDuration) {
        if restoresClock, let wall = board.clock.wallClock { restoredMilliseconds = wall.milliseconds }
        board.cutPower()
        let start = world.now
        world.run(for: .seconds(20) + random.duration(upTo: longest))
        restMilliseconds.append(Double((world.now - start).microseconds) / 1_000)
    }

    /// People come and go, one after the other; then nobody is there for a minute.
    func receive(_ visitors: Int) {
        for _ in 0..<visitors {
            world.run(for: .seconds(45) + random.duration(upTo: .minutes(4)))
            let phone = SimulatedPhone(
                "visitor \(readings.count)", at: Route(standingAt: Position(2, 0)), in: world)
            world.run(for: .seconds(20) + random.duration(upTo: .minutes(1)))
            phone.leaveForGood()
        }
        world.run(for: .seconds(60))
    }

    func meetHost() throws {
        let client = WorldChannel(board.line, in: world).client(epochMilliseconds: Self.epoch)
        let summary = try Synchroniser(client: client, archive: archive).run()
        #expect(summary.clockErrorMilliseconds ?? .max <= 10)
    }

    func end() { world.end() }
}
