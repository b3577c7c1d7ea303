import Archive
import BoardLink
import FixedMemory
import FlashSimulator
import Foundation
import HCI
import Sync
import TestSupport
import Testing

@testable import Simulator

/// A board that loses its time: after a power cut its clock starts at 1970, or continues from the last
/// shutdown. Its quartz is off by tens of ppm. Visitors come and go, and a host meets the board occasionally.
/// Agent and sync client are the real ones; the true times are recorded beside them.
final class TimelessBoard {
    /// The time from 1970 to the world's beginning, in milliseconds.
    private static let epoch: Int64 = 1_790_000_000_000

    let archive: Archive
    let board: SimulatedBoard
    /// The true times of all RSSI readings that the agent received, by address text, in milliseconds since
    /// 1970.
    private(set) var readings: [String: [Double]] = [:]
    private let world: World
    private var random: RandomStream
    /// The board's monotonic clock in each boot, which only the world can read.
    private var clocks: [UInt64: BoardClock] = [:]
    /// The time from which the system clock continues: that of a file written at each shutdown, or 1970.
    private var restoredMilliseconds: UInt64
    private let restoresClock: Bool
    /// The duration of each period without power.
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
        archive = try Archive(inMemoryNamed: "time \(seed)", admitting: .unverified)
        board.controller.transport.onTaken = { [unowned self] in record($0) }
    }

    private func record(_ packet: [UInt8]) {
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

    /// The wall time of a monotonic time in a boot; nil if there was no such boot.
    func wallTime(of instant: Instant, boot: UInt64) -> Double? {
        (clocks[boot]?.time(of: instant)).map(Self.wallTime)
    }

    // MARK: Events

    func powerOn() {
        board.powerOn()
        board.clock.setWallClock(WallClockTime(milliseconds: restoredMilliseconds), errorMilliseconds: .max)
        clocks[board.bootIdentifier] = BoardClock(driftPPM: board.setup.driftPPM, in: world)
    }

    /// Kills the agent and starts it again; the clocks continue.
    func restartAgent() {
        let clock = clocks[board.bootIdentifier]
        board.killAgent()
        world.run(for: .seconds(10))
        clocks[board.bootIdentifier] = clock
    }

    /// A random number below `limit`.
    func draw(below limit: UInt64) -> UInt64 { random.below(limit) }

    /// Cuts the power for a while.
    func rest(upTo longest: SimulatedDuration) {
        if restoresClock, let wall = board.clock.wallClock { restoredMilliseconds = wall.time.milliseconds }
        board.cutPower()
        let start = world.now
        world.run(for: .seconds(20) + random.duration(upTo: longest))
        restMilliseconds.append(Double((world.now - start).microseconds) / 1_000)
    }

    /// Lets visitors come and go, one after the other; afterwards the room is empty for a minute.
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
        var options = Synchroniser.Options()
        options.trust = .newBoards
        let summary = try Synchroniser(client: client, archive: archive, options: options).run()
        #expect(summary.clockError ?? .forever <= .milliseconds(10))
    }

    func end() { world.end() }
}
