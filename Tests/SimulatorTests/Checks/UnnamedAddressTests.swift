import HCI
import Testing

@testable import Simulator

/// Reports of one phone under three addresses, with one pseudo device address. Under the second address a
/// report without data comes first. The agent then knows the phone by that address, because an advert never
/// renames a peer. So the log has an encounter of its own for it, with all readings.
@Suite struct UnnamedAddressTests {
    private static let addresses = (1...3).map { DeviceAddress.privateRandom(seed: $0) }
    private static let pseudoAddress: [UInt8] = [0xc3, 0xdf, 0x51, 0xe9, 0x43, 0xdb]

    private let world = World(seed: 1)
    private let board: SimulatedBoard
    private let checker: InvariantChecker

    init() {
        var options = RunOptions(seed: 1)
        options.world = []
        options.transport = .packets
        options.isSealed = false
        options.driftPPM = 0
        options.lossWindowSeconds = 5
        options.gapSeconds = 10
        options.sampleSeconds = 5
        board = SimulatedBoard("board", options.boardSetup, in: world)
        checker = InvariantChecker(
            of: board, host: nil, diary: FaultDiary(of: board.controller, in: world), options: options,
            neighbours: Neighbours(in: world), in: world)
    }

    private static func packet(_ address: DeviceAddress, _ data: [UInt8]) -> [UInt8] {
        let report: [UInt8] =
            [2, 1, 3, 1] + address.littleEndianBytes + [UInt8(data.count)] + data + [UInt8(bitPattern: -60)]
        return [4, 0x3e, UInt8(report.count)] + report
    }

    private static func packet(_ address: DeviceAddress) -> [UInt8] {
        packet(address, FieldAdverts.pseudoAddress(pseudoAddress, isLegacy: false))
    }

    private func send(_ packet: [UInt8], count: Int) {
        for _ in 0..<count {
            board.controller.inject(packet)
            world.run(for: .milliseconds(500))
        }
    }

    /// Brings the board up beside another phone, whose samples keep the log growing.
    private func begin() {
        let other = Station("other phone", at: Route(standingAt: Position(1, 0)), in: world)
        other.advertise(
            Advertisement(
                address: .staticRandom(seed: 1), kind: .nonConnectable, data: FieldAdverts.android),
            every: .milliseconds(250))
        board.powerOn()
        world.run(for: .seconds(10))
    }

    /// Lets the encounters end, and returns the number of readings of each in the log.
    private func finish() -> [UInt32] {
        world.run(for: .seconds(60))
        let closed: [UInt32] = BoardLog(of: board).pages(of: board).flatMap(\.entries).compactMap {
            if case .encounterClosed(let entry) = $0 { entry.readings } else { nil }
        }
        checker.end()
        world.end()
        return closed
    }

    /// Sends the phone's reports under each address, and returns the readings of each encounter in the log.
    /// - Parameter missed: the address under which the agent misses a report of which the check knows.
    private func readings(missed: Int? = nil) -> [UInt32] {
        begin()
        for (index, address) in Self.addresses.enumerated() {
            if index == 1 { send(Self.packet(address, []), count: 24) }
            send(Self.packet(address), count: 24)
            if missed == index { board.controller.transport.onTaken?(Self.packet(address)) }
            send(Self.packet(address), count: 8)
        }
        return finish()
    }

    @Test func `an address that was heard without a pseudo address first has its own encounter`() {
        #expect(readings() == [32, 32, 32])
        #expect(checker.violations.map(\.description) == [])
    }

    @Test(arguments: [0, 1, 2]) func `a reading that the agent misses is found under each`(missed: Int) {
        #expect(readings(missed: missed) == [32, 32, 32])
        let violations = checker.violations.map(\.description)
        #expect(violations.contains { $0.contains("heard 33 times") && $0.contains("log says 32 times") })
    }

    /// The agent forgets a phone that it has not read when its encounter ends.
    @Test func `an address that the agent has forgotten may get a pseudo address`() {
        begin()
        send(Self.packet(Self.addresses[1], FieldAdverts.android), count: 4)
        world.run(for: .seconds(60))
        for address in Self.addresses[1...] { send(Self.packet(address), count: 32) }
        #expect(finish() == [4, 64])
        #expect(checker.violations.map(\.description) == [])
    }

    /// The agent remembers a phone that has stayed.
    @Test func `a pseudo address that the agent remembers comes back`() {
        begin()
        send(Self.packet(Self.addresses[1]), count: 240)
        world.run(for: .seconds(60))
        send(Self.packet(Self.addresses[1], []), count: 2)
        for address in Self.addresses[1...] { send(Self.packet(address), count: 32) }
        #expect(finish() == [240, 64])
        #expect(checker.violations.map(\.description) == [])
    }
}
